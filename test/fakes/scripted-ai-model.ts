import { simulateReadableStream, type LanguageModel } from 'ai';
import { MockLanguageModelV3, MockLanguageModelV4 } from 'ai/test';

/**
 * What a model of the AI SDK does when it is called: it says something, calls a tool, or fails. With `isEndless`, its stream
 * stands still after what it says, whatever is aborted.
 */
export type ScriptedStep =
  | { readonly say: string; readonly isEndless?: boolean }
  | { readonly call: string; readonly input: unknown }
  | { readonly fail: Error };

type Version = 2 | 3 | 4;

/** A model of the AI SDK that follows a script, and remembers what it was asked. */
export interface ScriptedAIModel {
  readonly model: Exclude<LanguageModel, string>;
  /** The prompt of each call, as the model received it. */
  readonly prompts: unknown[];
}

/** Returns a model of a specification that does the steps one after the other, and the last one for ever. */
export function scriptedAIModel(steps: readonly ScriptedStep[], version: Version = 4): ScriptedAIModel {
  const prompts: unknown[] = [];
  const next = ({ prompt }: { prompt: unknown }): ScriptedStep => {
    prompts.push(prompt);
    return steps[Math.min(prompts.length, steps.length) - 1] ?? { say: '' };
  };
  const script = {
    async doGenerate(options: { prompt: unknown }) {
      const step = next(options);
      if ('fail' in step) throw step.fail;
      return { content: contentOf(step, prompts.length), ...endOf(step, version), warnings: [] };
    },
    async doStream(options: { prompt: unknown }) {
      const step = next(options);
      if ('fail' in step) throw step.fail;
      const parts = [{ type: 'stream-start', warnings: [] }, ...streamed(step, prompts.length)];
      const finish = { type: 'finish', ...endOf(step, version) };
      if ('say' in step && step.isEndless) return { stream: endless(parts.slice(0, -1)) };
      return { stream: simulateReadableStream({ chunks: [...parts, finish] }) };
    },
  };
  return { model: modelOf(script as never, version), prompts };
}

/** The SDK has no model of the specification V2 for tests any more. */
function modelOf(
  script: ConstructorParameters<typeof MockLanguageModelV4>[0] & object,
  version: Version,
): ScriptedAIModel['model'] {
  if (version === 4) return new MockLanguageModelV4(script);
  if (version === 3) return new MockLanguageModelV3(script as object);
  const older = { specificationVersion: 'v2', provider: 'scripted', modelId: 'scripted', supportedUrls: {} };
  return { ...older, ...script } as unknown as ScriptedAIModel['model'];
}

function contentOf(step: Exclude<ScriptedStep, { fail: Error }>, number: number): object[] {
  if ('say' in step) return [{ type: 'text', text: step.say }];
  const input = JSON.stringify(step.input);
  return [{ type: 'tool-call', toolCallId: `call-${number}`, toolName: step.call, input }];
}

function streamed(step: Exclude<ScriptedStep, { fail: Error }>, number: number): object[] {
  if (!('say' in step)) return contentOf(step, number);
  const id = `text-${number}`;
  const deltas = step.say.split(/(?<= )/).map((delta) => ({ type: 'text-delta', id, delta }));
  return [{ type: 'text-start', id }, ...deltas, { type: 'text-end', id }];
}

function endOf(step: ScriptedStep, version: Version): object {
  const reason = 'call' in step ? 'tool-calls' : 'stop';
  const tokens = { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0, text: 1, reasoning: 0 };
  return version === 2
    ? { finishReason: reason, usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 } }
    : {
        finishReason: { unified: reason, raw: reason },
        usage: { inputTokens: tokens, outputTokens: tokens },
      };
}

function endless(parts: readonly object[]): ReadableStream<object> {
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part);
    },
  });
}
