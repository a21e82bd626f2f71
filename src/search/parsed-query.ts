import { analyze, type Analyze } from './analyze.ts';

/** A question, taken apart once for all that is searched by it. */
export interface ParsedQuery {
  readonly text: string;
  /** Its words as facts and notes are searched: by the library's own rules, repeats included. */
  readonly words: readonly string[];
  /** Its words as messages are searched: by the caller's analyzer, where there is one. */
  readonly messageWords: readonly string[];
}

/** @param analyzeMessages how messages are cut into words. @default as facts are */
export function parseQuery(text: string, analyzeMessages: Analyze = analyze): ParsedQuery {
  const words = analyze(text);
  return { text, words, messageWords: analyzeMessages === analyze ? words : analyzeMessages(text) };
}
