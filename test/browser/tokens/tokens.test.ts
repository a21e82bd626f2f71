import { expect, it } from 'vitest';
import { tiktokenTokenizer } from '../../../src/tokens/tiktoken.ts';

it('TOK-1: the vocabulary is loaded on demand in a browser and counts as elsewhere', async () => {
  const tokenizer = await tiktokenTokenizer();
  expect(tokenizer.countText('hello world')).toBe(2);
  expect(tokenizer.countMessage({ role: 'user', content: 'hello world' })).toBe(5);
});
