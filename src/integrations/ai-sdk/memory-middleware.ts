import type { LanguageModelMiddleware } from 'ai';
import type { Memory } from '../../index.ts';
import { checkMemory } from '../../model/check-memory.ts';
import { checkOptions } from '../../model/check-options.ts';
import type { CallParams, Step } from './model-turns.ts';
import { RECALL_LIMITS, SKIPPED, type RecallLimits } from './recall-limits.ts';
import { loadAhead, memoizeAsync } from '../../model/loading.ts';
import { raiseWarning } from '../../model/memory-warnings.ts';

/**
 * Returns a middleware for `wrapLanguageModel` that gives a model memory: before the first step of a turn, it recalls
 * for the last user message; after the last step, it stores the turn, including tool calls and results.
 *
 * Recalled text is put into the last user message, before the question, with the same bytes in each step of a tool
 * loop. The page's messages are not changed; if none precede the question, the session's recent turns and its summary
 * are sent, too. A turn is stored in the memory's session, unless the call sets `providerOptions: { mnemora: {
 * sessionId, turnId, replaces } }`, with the meaning that these have in `RememberOptions`.
 *
 * A memory that fails or is too slow never makes a call fail: a `memory-skipped` or `save-failed` warning is raised.
 * Regenerated and edited messages are recognized only by `replaces`; `memoryTransport` sets it automatically.
 *
 * @throws MnemoraError `invalid-option`; a call rejects with `invalid-option` if its `providerOptions.mnemora` is not usable
 * @example
 * const model = wrapLanguageModel({ model: openai('gpt-5'), middleware: memoryMiddleware(await createMemory()) });
 * await generateText({ model, prompt: 'Where does my sister live?' });
 */
export function memoryMiddleware(memory: Memory, options: RecallLimits = {}): LanguageModelMiddleware {
  checkMemory(memory);
  checkOptions('memoryMiddleware', options, RECALL_LIMITS);
  const load = memoizeAsync(async () => new (await import('./model-turns.ts')).ModelTurns(memory, options));
  // The page may be offline at the first question, which then reports the failure.
  loadAhead([load]);
  const steps = new WeakMap<object, Step>();
  return {
    specificationVersion: 'v3',
    async transformParams({ params, model }) {
      const loaded = await load().catch((cause: unknown) => raiseWarning(memory, { ...SKIPPED, cause }));
      const step = await loaded?.step(params as CallParams, model.specificationVersion);
      if (!step) return params;
      const sent = { ...params, prompt: step.prompt as typeof params.prompt };
      steps.set(sent, step);
      return sent;
    },
    async wrapGenerate({ doGenerate, params }) {
      const step = steps.get(params);
      try {
        const result = await doGenerate();
        await step?.generated(result.content, result.finishReason);
        return result;
      } catch (error) {
        await step?.failed();
        throw error;
      }
    },
    async wrapStream({ doStream, params }) {
      const step = steps.get(params);
      try {
        const result = await doStream();
        return step ? { ...result, stream: step.watched(result.stream) } : result;
      } catch (error) {
        await step?.failed();
        throw error;
      }
    },
  };
}
