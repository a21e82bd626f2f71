import { expect, it } from 'vitest';
import { createMemory } from '../../../src/client/create-memory.ts';
import type { LLM } from '../../../src/llm/llm.ts';
import { approximateTokenizer } from '../../../src/tokens/approximate.ts';

const SAID = "My flatmate Jonas: 'I live in Oslo, and my dog is called Rex.'";

async function warningsWith(learning: { llm?: LLM }): Promise<string[]> {
  const warnings: string[] = [];
  await using memory = await createMemory({
    ...{ storage: 'memory', embedder: false, tokenizer: approximateTokenizer() },
    learning: { ...learning, delayMs: 0 },
    onWarning: ({ code }) => warnings.push(code),
  });
  await memory.remember({ user: SAID, assistant: 'Nice.' });
  await memory.work.settled();
  return warnings;
}

it('LRN-42: quoting somebody causes no warning without a model', async () => {
  expect(await warningsWith({})).toEqual([]);
});

it('LRN-42: what is rejected of a reply of a model is reported', async () => {
  const llm: LLM = async () => '{"facts":[{"message":"m7","subject":"user","predicate":"is","object":"x"}]}';
  expect(await warningsWith({ llm })).toEqual(['extraction-rejected']);
});
