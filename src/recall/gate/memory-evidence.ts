/** What the memory holds on the words of a question; each from 0 to 1. */
export interface MemoryEvidence {
  /** Best share of the question's words, by rarity, in what one message of the user and those around it state. */
  readonly statementCoverage: number;
  /** The same over all that was said, in one message and those beside it. */
  readonly messageCoverage: number;
  /** Share of the question's words that any statement has, by rarity. */
  readonly statedWords: number;
  /** 1 where the question names somebody or something that statements or speakers name, else 0. */
  readonly hasKnownName: number;
  /** 1 where the question names somebody who has taken part in the chats, else 0. */
  readonly namesSpeaker: number;
}

/** How often and where the words of a question stand. */
export interface WordPlaces {
  /** Inverse document frequency among all messages, also of a word that none has. */
  readonly rarity: (term: string) => number;
  /** Terms of the statements of each message that has some, oldest first; those of facts count as one more. */
  readonly stated: readonly ReadonlySet<string>[];
  /** Terms of the messages that search finds best, each with those beside it. */
  readonly found: readonly ReadonlySet<string>[];
  /** Terms of names: of what statements write with a capital inside a sentence, and of entities. */
  readonly names: ReadonlySet<string>;
  /** Terms of the names of speakers. */
  readonly speakers: ReadonlySet<string>;
}

/**
 * The evidence for a question.
 *
 * What a user states of themselves is looked at apart from all that was said: among everyday requests most words of any
 * question have been used, and tell nothing.
 *
 * @param terms distinct content terms of the question, without its frame and stop words
 */
export function memoryEvidence(terms: ReadonlySet<string>, places: WordPlaces): MemoryEvidence {
  const { rarity, stated, found, names, speakers } = places;
  const namesSpeaker = [...terms].some((term) => speakers.has(term));
  const around = stated.map((own, i) => [stated[i - 1], own, stated[i + 1]].flatMap((each) => each ?? []));
  return {
    statementCoverage: bestCoverage(terms, around, rarity),
    messageCoverage: bestCoverage(
      terms,
      found.map((own) => [own]),
      rarity,
    ),
    statedWords: bestCoverage(terms, [stated], rarity),
    hasKnownName: Number(namesSpeaker || [...terms].some((term) => names.has(term))),
    namesSpeaker: Number(namesSpeaker),
  };
}

function bestCoverage(
  terms: ReadonlySet<string>,
  groups: readonly (readonly ReadonlySet<string>[])[],
  rarity: (term: string) => number,
): number {
  const weights = Array.from(terms, (term) => [term, rarity(term)] as const);
  const all = weights.reduce((sum, [, weight]) => sum + weight, 0);
  if (all === 0) return 0;
  let best = 0;
  for (const group of groups) {
    let sum = 0;
    for (const [term, weight] of weights) if (group.some((each) => each.has(term))) sum += weight;
    if (sum > best) best = sum;
  }
  return best / all;
}
