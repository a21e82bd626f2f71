import { analyze } from '../search/analyze.ts';
import type { EntityMention } from '../storage/schema.ts';

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
