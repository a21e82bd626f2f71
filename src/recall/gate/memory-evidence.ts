/** How much the memory contains about the words of a question; each value is from 0 to 1. */
export interface MemoryEvidence {
  /** Best share of the question's words, weighted by rarity, in the claims of one message and those beside it. */
  readonly statementCoverage: number;
  /** The same for the full text of one message and those beside it. */
  readonly messageCoverage: number;
  /** Share of the question's words, weighted by rarity, that occur in any claim. */
  readonly statedWords: number;
  /** 1 if the question contains a name that occurs in claims or is a speaker's, else 0. */
  readonly hasKnownName: number;
  /** 1 if the question names somebody who has taken part in the chats, else 0. */
  readonly namesSpeaker: number;
  /** 1 if the user has spoken of what the question asks about, else 0: see `isSpokenOf`. @default 0 */
  readonly spokenOf?: number;
}

/** Where the words of a question occur, and how rare they are. */
export interface WordPlaces {
  /** Returns the inverse document frequency of a word among all messages, also if no message has it. */
  readonly rarity: (term: string) => number;
  /** Terms of the claims of each message that has any, oldest first, and one more set for the terms of facts. */
  readonly stated: readonly ReadonlySet<string>[];
  /** Terms of the best messages that search finds, each with the messages beside it. */
  readonly found: readonly ReadonlySet<string>[];
  /** Terms of names: words that claims capitalize inside a sentence, and entities. */
  readonly names: ReadonlySet<string>;
  /** Terms of the names of speakers. */
  readonly speakers: ReadonlySet<string>;
}

/**
 * Returns the evidence for a question.
 *
 * The user's claims about themselves are counted apart from the full text: after many everyday requests, most words
 * of any question have been used before, which is no evidence.
 *
 * @param terms distinct content terms of the question, without its frame and stop words
 */
export function memoryEvidence(terms: ReadonlySet<string>, places: WordPlaces): MemoryEvidence {
  const { rarity, stated, found, names, speakers } = places;
  const weights = Array.from(terms, (term) => [term, rarity(term)] as const);
  const total = weights.reduce((sum, [, weight]) => sum + weight, 0);
  const covered = (group: readonly ReadonlySet<string>[]): number =>
    weights.reduce((sum, [term, weight]) => (group.some((each) => each.has(term)) ? sum + weight : sum), 0);
  const coverage = (groups: readonly (readonly ReadonlySet<string>[])[]): number =>
    total === 0 ? 0 : groups.reduce((best, group) => Math.max(best, covered(group)), 0) / total;
  const around = stated.map((own, i) => [stated[i - 1], own, stated[i + 1]].flatMap((each) => each ?? []));
  const namesSpeaker = [...terms].some((term) => speakers.has(term));
  return {
    statementCoverage: coverage(around),
    messageCoverage: coverage(found.map((own) => [own])),
    statedWords: coverage([stated]),
    hasKnownName: Number(namesSpeaker || [...terms].some((term) => names.has(term))),
    namesSpeaker: Number(namesSpeaker),
  };
}
