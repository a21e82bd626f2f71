import type { Extractor } from '../../src/learning/extractor.ts';

export interface SummarizeCall {
  readonly summary: string;
  readonly newLines: string;
  readonly maxTokens?: number;
}

export interface FakeSummarizer extends Extractor {
  /** What it was asked, in order. */
  readonly calls: readonly SummarizeCall[];
}

/** What a summary is made of the call: text, a failure, or a promise of either. */
export type Summarize = (call: SummarizeCall, signal: AbortSignal | undefined) => string | Promise<string>;

/** An extractor that summarizes by a function, or by a list of replies, and can do nothing else. */
export function fakeSummarizer(answer: Summarize | readonly string[]): FakeSummarizer {
  const calls: SummarizeCall[] = [];
  const refuse = (): Promise<never> => Promise.reject(new Error('only summaries are made here'));
  return {
    id: 'test/summarizer',
    calls,
    summarize: async ({ signal, ...call }) => {
      calls.push(call);
      if (typeof answer === 'function') return answer(call, signal);
      const reply = answer[calls.length - 1];
      if (reply === undefined) throw new Error('there are no replies left');
      return reply;
    },
    extract: refuse,
  };
}

/** Keeps every word that looks like `m12`: a summary that forgets nothing, so that one sees what it covers. */
export function keepMarks({ summary, newLines }: SummarizeCall): string {
  return [...new Set(`${summary} ${newLines}`.match(/\bm\d+\b/g))].join(' ');
}
