import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const ROOT = new URL('../../../', import.meta.url);
const read = (file: string): string => readFileSync(new URL(file, ROOT), 'utf8');

it('DEMO-40: README quotes the React examples as they are, importing the package by its name', () => {
  const quoted = Array.from(read('README.md').matchAll(/^```tsx\n(.*?)^```$/gmsu), ([, code]) => code);
  const examples = ['react-memory', 'react-chat'].map((name) =>
    read(`demo/examples/${name}.tsx`)
      .replace("'../../src/index.ts'", "'mnemora'")
      .replace("'../../src/integrations/react.ts'", "'mnemora/react'"),
  );
  expect(quoted).toEqual(examples);
});
