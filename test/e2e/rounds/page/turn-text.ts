const NAMES = ['Hugo', 'Felix', 'Nora', 'Ida', 'Paul', 'Vera', 'Emil', 'Clara'];
const ROLES = ['brother', 'sister', 'neighbor', 'friend'];

/** The n-th turn of a writer: the same texts for the same writer and number, which no other turn has. */
export interface WrittenTurn {
  readonly turnId: string;
  readonly sessionId: string;
  readonly user: string;
  readonly assistant: string;
}

/** Returns a turn that teaches a fact. Of each three, two are in a session of the tab's own and one in a shared one. */
export function turnOf(writer: string, n: number): WrittenTurn {
  const turnId = `${writer}-${n}`;
  const seed = [...turnId].reduce((sum, character) => (sum * 31 + character.charCodeAt(0)) % 9973, 7);
  const pick = (words: readonly string[], shift: number): string =>
    words[(seed >> shift) % words.length] ?? '';
  // One value at a time, so that the order in which turns are learned decides which one holds.
  const fact = n % 2 === 0 ? `I live in City${seed % 7}.` : `My ${pick(ROLES, 1)} is ${pick(NAMES, 2)}.`;
  return {
    turnId,
    sessionId: n % 3 === 2 ? 'shared' : `of-${writer.at(-1)}`,
    user: `Topic${seed} is note ${turnId}. ${fact}`,
    // Of many sizes, so that a kill meets small and large writes.
    assistant: `Answer to ${turnId}.`.padEnd(seed % 3000, '.'),
  };
}
