import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const ROOT = new URL('../../../', import.meta.url);
const read = (file: string): string => readFileSync(new URL(file, ROOT), 'utf8');
const recipes = readdirSync(new URL('demo/examples/recipes', ROOT));
const files = ['ai-sdk.tsx', 'assistant-ui.tsx', ...recipes.map((name) => `recipes/${name}`)];

it('DEMO-50: these examples and the recipes have fewer than 30 lines, and the guide names each recipe', () => {
  const lengths = files.map((file) => ({
    file,
    lines: read(`demo/examples/${file}`).trimEnd().split('\n').length,
  }));
  expect(lengths.filter(({ lines }) => lines >= 30)).toEqual([]);
  expect(recipes.filter((name) => !read('demo/docs/recipes.md').includes(`\`${name}\``))).toEqual([]);
});

it('DEMO-50: these examples and the recipes import the package by its name', () => {
  const importing = files.map((file) => ({ file, text: read(`demo/examples/${file}`) }));
  expect(importing.filter(({ text }) => !text.includes("'mnemora") || text.includes('src/'))).toEqual([]);
});
