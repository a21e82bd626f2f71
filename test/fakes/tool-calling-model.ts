import { MockLanguageModelV4 } from 'ai/test';

type GenerateResult = Awaited<ReturnType<MockLanguageModelV4['doGenerate']>>;

/** What an answer has cost, which nothing depends on. */
export const USAGE: GenerateResult['usage'] = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

/** A call of a tool, its input as a value or as the JSON that the model writes. */
export type FakeToolCall = readonly [toolName: string, input: unknown];

/** A model that calls one tool after the other, each in a step of its own, and then says "Done.". */
export function toolCallingModel(calls: readonly FakeToolCall[]): MockLanguageModelV4 {
  const steps = calls.map(([toolName, input], index): GenerateResult => ({
    content: [{ type: 'tool-call', toolCallId: `call-${index}`, toolName, input: JSON.stringify(input) }],
    finishReason: { unified: 'tool-calls', raw: undefined },
    usage: USAGE,
    warnings: [],
  }));
  return new MockLanguageModelV4({
    doGenerate: [
      ...steps,
      {
        content: [{ type: 'text', text: 'Done.' }],
        finishReason: { unified: 'stop', raw: undefined },
        usage: USAGE,
        warnings: [],
      },
    ],
  });
}
