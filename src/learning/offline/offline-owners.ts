import { USER_NAME } from '../first-person.ts';
import { nameAt } from './offline-names.ts';
import type { Referents } from './offline-referents.ts';
import type { Word } from './offline-words.ts';

/** The speaker, which determines whom `I` and `you` mean. */
export type SpeakerRole = 'user' | 'assistant' | 'tool';

/** The speaker, and the people mentioned before. */
export interface Speaking {
  readonly role: SpeakerRole;
  readonly referents: Referents;
}

/** Returns whom a possessive at a word means: `my`, `her`, `Sam's`. */
export function ownerAt(
  words: readonly Word[],
  { role, referents }: Speaking,
  start = 0,
): { readonly name: string | undefined; readonly end: number } | undefined {
  const word = words[start];
  if (word?.kind !== 'word') return undefined;
  if (/^(?:my|our|your|his|her|their|its)$/u.test(word.lower)) {
    const isMine = /^(?:my|our)$/u.test(word.lower);
    const isYours = word.lower === 'your';
    const [name, ...others] =
      isMine || isYours
        ? (isMine ? 'user' : 'assistant') === role
          ? [USER_NAME]
          : []
        : referents.resolve(word.lower);
    return { name: others.length > 0 ? undefined : name, end: start + 1 };
  }
  const name = nameAt(words, start, (lower) => referents.knows(lower));
  const end = name?.end ?? start + 1;
  if (words[end]?.kind !== 'possessive' || name?.kind === 'date') return undefined;
  return {
    name: name ? referents.fullName(name.text) : word.isCapital ? word.text : undefined,
    end: end + 1,
  };
}
