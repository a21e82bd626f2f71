import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const ROOT = new URL('../../../', import.meta.url);
const read = (file: string): string => readFileSync(new URL(file, ROOT), 'utf8');
const quoted = Array.from(read('README.md').matchAll(/^```tsx\n(.*?)^```$/gmsu), ([, code]) => code);

it('DEMO-40: README quotes the React examples as they are, importing the package by its name', () => {
  expect(quoted.slice(0, 2)).toEqual(['react-memory', 'react-chat'].map(asQuoted));
});

it('DEMO-50: README quotes the AI SDK and assistant-ui examples as they are, importing the package by its name', () => {
  expect(quoted.slice(2)).toEqual(['ai-sdk', 'assistant-ui'].map(asQuoted));
});

it('DEMO-50: these examples and the recipes have fewer than 30 lines, and README names each recipe', () => {
  const recipes = readdirSync(new URL('demo/examples/recipes', ROOT));
  const files = ['ai-sdk.tsx', 'assistant-ui.tsx', ...recipes.map((name) => `recipes/${name}`)];
  const lines = files.map((file) => ({
    file,
    lines: read(`demo/examples/${file}`).trimEnd().split('\n').length,
  }));
  expect(lines.filter((each) => each.lines >= 30)).toEqual([]);
  expect(recipes.filter((name) => !read('README.md').includes(`\`${name}\``))).toEqual([]);
});

function asQuoted(name: string): string {
  return read(`demo/examples/${name}.tsx`)
    .replace("'../../src/index.ts'", "'mnemora'")
    .replaceAll(/'\.\.\/\.\.\/src\/integrations\/(.*?)\.ts'/gu, "'mnemora/$1'");
}
