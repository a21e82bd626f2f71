import type { Triple } from '../graph/triple.ts';
import { analyze, contentTerms } from '../language/terms.ts';
import type { Speaker } from '../model/speaker.ts';
import { CUT_MARK, quoteFinder } from './cut-text.ts';
import type { SourceMessage } from './extractor.ts';

/** Returns who stated a fact that the user has not stated, or undefined if the user has. */
export function unconfirmedSpeaker({
  source,
  attributes,
}: Pick<Triple, 'source' | 'attributes'>): Exclude<Speaker, 'user'> | undefined {
  return source === 'user' ? undefined : OTHERS.find((other) => other === attributes['statedBy']);
}

const OTHERS = ['assistant', 'tool', 'document', 'import', 'model'] as const;

/** Returns who stated a fact. A fact that the user entered or corrected is the user's. */
export function speakerOf(fact: Pick<Triple, 'source' | 'attributes'>): Speaker {
  return unconfirmedSpeaker(fact) ?? 'user';
}

/** A message against which facts are checked. */
export interface Source {
  /** Returns the words of the message that a quote repeats, or undefined if they are not in it. */
  readonly findQuote: (quote: string) => string | undefined;
  /** Whether the message contains one of the content words. */
  readonly mentions: (words: string) => boolean;
  /** Returns who stated a fact with this object and quote. */
  readonly statedBy: (object: string, quote: string | undefined) => Speaker;
}

/** Analyzes a message. The speaker of a fact is determined from the message alone. */
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
      // "Look what he wrote" is by the user; the pasted text after it is not.
      const meaningful = contentTerms(object);
      const isOwn = meaningful.length === 0 || meaningful.some((term) => ownTerms.has(term));
      return isOwn ? 'user' : 'document';
    },
  };
}

function withoutParts(text: string, parts: readonly string[]): string {
  // Longest first, because a short part can be contained in a long one.
  return parts
    .toSorted((a, b) => b.length - a.length)
    .reduce((rest, part) => (part === '' ? rest : rest.replaceAll(part, () => CUT_MARK)), text);
}
