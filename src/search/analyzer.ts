import { analyze, questionText, type Analyze } from '../language/terms.ts';
import { withoutFunctionWords } from '../language/text-language.ts';
import { invalidInput } from '../model/error.ts';
import type { TermOptions } from './inverted-index.ts';

/** Splits texts into terms for keyword search, for languages that the library's own analyzer does not cover well. */
export interface Analyzer {
  /** Identifies the analyzer and its version. An index built by an analyzer with another id is rebuilt. */
  readonly id: string;
  /** Returns the terms of a text, with repeats. Called for messages and for questions. */
  analyze(text: string): string[];
  /** Terms that are ignored in a question, unless it has no others. @default none */
  readonly stopWords?: ReadonlySet<string>;
}

/**
 * Returns the index options for an analyzer, or those of the library's own analyzer without one.
 *
 * @throws MnemoraError `invalid-input`, when a text is analyzed, if the analyzer does not return an array of strings
 */
export function termOptions(analyzer: Analyzer | undefined): TermOptions {
  if (!analyzer) return {};
  const { stopWords = new Set() } = analyzer;
  return { stopWords, analyze: (text) => checkTerms(analyzer.analyze(text), analyzer) };
}

function checkTerms(terms: unknown, { id }: Analyzer): string[] {
  if (Array.isArray(terms) && terms.every((term) => typeof term === 'string')) return terms;
  throw invalidInput(`The analyzer "${id}" must return a list of strings.`);
}

/** A question with its terms, analyzed once for all searches. Of a long one, only the beginning. */
export interface ParsedQuery {
  readonly text: string;
  /** Terms for the search of facts and notes, by the library's own analyzer, with repeats. */
  readonly words: readonly string[];
  /**
   * Terms for the search of messages, by the caller's analyzer if there is one; otherwise without the function words of the
   * question's language, unless it has no others.
   */
  readonly messageWords: readonly string[];
}

/** @param analyzeMessages splits messages into terms. @default the library's own analyzer */
export function parseQuery(question: string, analyzeMessages: Analyze = analyze): ParsedQuery {
  const text = questionText(question);
  const words = analyze(text);
  if (analyzeMessages !== analyze) return { text, words, messageWords: analyzeMessages(text) };
  const content = withoutFunctionWords(words);
  return { text, words, messageWords: content.length > 0 ? content : words };
}
