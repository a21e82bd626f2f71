import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const ROOT = new URL('../../../', import.meta.url);

it('DEMO-40: README quotes the React example as it is, importing the package by its name', () => {
  const example = readFileSync(new URL('demo/examples/react-chat.tsx', ROOT), 'utf8');
  const readme = readFileSync(new URL('README.md', ROOT), 'utf8');
  const quoted = Array.from(readme.matchAll(/^```tsx\n(.*?)^```$/gmsu), ([, code]) => code);
  expect(quoted).toEqual([example.replace("'../../src/index.ts'", "'mnemora'")]);
});
