import { analyze, type Analyze } from './analyze.ts';

/** A question with its terms, analyzed once for all searches. */
export interface ParsedQuery {
  readonly text: string;
  /** Terms for the search of facts and notes, by the library's own analyzer, with repeats. */
  readonly words: readonly string[];
  /** Terms for the search of messages, by the caller's analyzer if there is one. */
  readonly messageWords: readonly string[];
}

/** @param analyzeMessages splits messages into terms. @default the library's own analyzer */
export function parseQuery(text: string, analyzeMessages: Analyze = analyze): ParsedQuery {
  const words = analyze(text);
  return { text, words, messageWords: analyzeMessages === analyze ? words : analyzeMessages(text) };
}
