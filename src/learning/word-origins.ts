import { analyze, contentTerms } from '../search/analyze.ts';
import type { EntityMention } from '../storage/schema.ts';
import { USER_NAME } from './first-person.ts';

/** A text that words can come from, with its messages. */
export interface WordOrigin {
  readonly messageIds: readonly string[];
  /** The text, or a test for whether it contains an index term. */
  readonly text: string | ((term: string) => boolean);
}

/**
 * Returns a function that finds the messages, besides the cited one, that a text's words come from: "her favorite
 * color is red" is about Sam only because of an earlier message. A result must be erased with those messages,
 * whichever one the model cites. If several messages contain a word, the last one counts; a word in none of them is
 * the model's own.
 *
 * @param origins oldest first
 */
export function wordOrigins(
  origins: readonly WordOrigin[],
): (texts: readonly string[], citedId: string) => string[] {
  const readers = origins.map((origin) => ({ ...origin, has: lazyReader(origin.text) }));
  return (texts, citedId) => {
    // The cited message comes after the known texts, which may have come from it.
    const cited = readers.findLast((origin) => origin.messageIds.includes(citedId));
    const terms = new Set(texts.flatMap(contentTerms));
    const missing = [...terms].filter((term) => term !== USER_NAME && !cited?.has(term));
    const needed = missing.flatMap(
      (term) => readers.findLast((origin) => origin.has(term))?.messageIds.at(-1) ?? [],
    );
    return [...new Set(needed)].filter((id) => id !== citedId);
  };
}

/** Analyzes the text on first use, because most words are in the cited message. */
function lazyReader(text: WordOrigin['text']): (term: string) => boolean {
  if (typeof text !== 'string') return text;
  let terms: ReadonlySet<string> | undefined;
  return (term) => (terms ??= new Set(analyze(text))).has(term);
}

/**
 * The index terms of an entity's mentions. Term counts are kept between calls and updated by the difference, because
 * a turn adds one mention to thousands.
 */
export class MentionWords {
  #mentions: readonly EntityMention[] = [];
  readonly #counts = new Map<string, number>();

  /** Whether one of these mentions contains an index term. */
  has(mentions: readonly EntityMention[], term: string): boolean {
    this.#turnTo(mentions);
    return this.#counts.has(term);
  }

  #turnTo(mentions: readonly EntityMention[]): void {
    const before = this.#mentions;
    if (mentions === before) return;
    let same = 0;
    while (same < mentions.length && saySame(before[same], mentions[same])) same += 1;
    for (const gone of before.slice(same)) this.#count(gone, -1);
    for (const added of mentions.slice(same)) this.#count(added, 1);
    this.#mentions = mentions;
  }

  #count({ note, aliases }: EntityMention, by: 1 | -1): void {
    for (const term of analyze([note, ...aliases].join(' '))) {
      const count = (this.#counts.get(term) ?? 0) + by;
      if (count > 0) this.#counts.set(term, count);
      else this.#counts.delete(term);
    }
  }
}

function saySame(a: EntityMention | undefined, b: EntityMention | undefined): boolean {
  return a?.note === b?.note && a?.aliases.join('\n') === b?.aliases.join('\n');
}
