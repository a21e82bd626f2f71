import type { Triple } from '../graph/triple.ts';
import { analyze } from '../search/analyze.ts';
import { ENGLISH_STOP_WORDS } from '../search/stop-words.ts';
import type { SourceMessage } from './extractor.ts';
import { CUT_MARK, quoteFinder } from './find-quote.ts';

/** Whose word a fact is. */
export type StatedBy = 'user' | 'assistant' | 'tool' | 'document' | 'import';

/** Who alone has said a fact, where that is not the user; undefined where the user's word is in it. */
export function unconfirmedWord({
  source,
  attributes,
}: Pick<Triple, 'source' | 'attributes'>): Exclude<StatedBy, 'user'> | undefined {
  return source === 'user' ? undefined : OTHERS[String(attributes['statedBy'])];
}

const OTHERS: Readonly<Record<string, Exclude<StatedBy, 'user'>>> = {
  assistant: 'assistant',
  tool: 'tool',
  document: 'document',
  // What version 0.1.0 called it.
  pasted: 'document',
  import: 'import',
};

/** A message to check facts against. */
export interface Source {
  /** The words of the message that a quote repeats; undefined where they are not in it. */
  readonly findQuote: (quote: string) => string | undefined;
  /** Whether it has one of the words that mean something. */
  readonly mentions: (words: string) => boolean;
  /** Whose word a fact with this object is that the message tells with these words. */
  readonly statedBy: (object: string, quote: string | undefined) => StatedBy;
}

/** What a message says, and who says it: code decides that, from the message alone. */
export function readSource(message: SourceMessage): Source {
  const findQuote = quoteFinder(message.text);
  const terms = new Set(analyze(message.text));
  const mentions = (words: string): boolean => contentTerms(words).some((term) => terms.has(term));
  const { role, origin } = message;
  if (origin === 'import' || role !== 'user') {
    return { findQuote, mentions, statedBy: () => origin ?? role };
  }
  const pasted = message.pasted ?? [];
  if (pasted.length === 0) return { findQuote, mentions, statedBy: () => 'user' };
  const own = withoutParts(message.text, pasted);
  const findOwn = quoteFinder(own);
  const ownTerms = new Set(analyze(own));
  return {
    findQuote,
    mentions,
    statedBy: (object, quote) => {
      if (quote !== undefined && findOwn(quote) === undefined) return 'document';
      // "Look what he wrote" is the user's, and what he wrote is not.
      const meaningful = contentTerms(object);
      const isOwn = meaningful.length === 0 || meaningful.some((term) => ownTerms.has(term));
      return isOwn ? 'user' : 'document';
    },
  };
}

function contentTerms(words: string): string[] {
  return analyze(words).filter((term) => !ENGLISH_STOP_WORDS.has(term));
}

function withoutParts(text: string, parts: readonly string[]): string {
  // Longest first: a short part may stand in a long one.
  return parts
    .toSorted((a, b) => b.length - a.length)
    .reduce((rest, part) => (part === '' ? rest : rest.replaceAll(part, () => CUT_MARK)), text);
}
