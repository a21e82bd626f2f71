import type { Triple } from '../graph/triple.ts';
import { analyze } from '../search/analyze.ts';
import { ENGLISH_STOP_WORDS } from '../search/stop-words.ts';
import type { SourceMessage } from './extractor.ts';
import { CUT_MARK, quoteFinder } from './find-quote.ts';

/** Whose word a fact is. */
export type StatedBy = 'user' | 'assistant' | 'tool' | 'pasted';

/** Who alone has said a fact, where that is not the user; undefined where the user's word is in it. */
export function unconfirmedWord({
  source,
  attributes,
}: Pick<Triple, 'source' | 'attributes'>): 'assistant' | 'tool' | undefined {
  const { statedBy } = attributes;
  const isUnconfirmed = source !== 'user' && (statedBy === 'assistant' || statedBy === 'tool');
  return isUnconfirmed ? statedBy : undefined;
}

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
  if (message.role !== 'user') {
    const { role } = message;
    return { findQuote, mentions, statedBy: () => role };
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
      if (quote !== undefined && findOwn(quote) === undefined) return 'pasted';
      // "Look what he wrote" is the user's, and what he wrote is not.
      const meaningful = contentTerms(object);
      const isOwn = meaningful.length === 0 || meaningful.some((term) => ownTerms.has(term));
      return isOwn ? 'user' : 'pasted';
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
