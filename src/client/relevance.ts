import { sentenceOf } from '../graph/fact-sentence.ts';
import type { Triple } from '../graph/triple.ts';
import { USER_NAME } from '../learning/first-person.ts';
import type { KnowledgeRows } from '../learning/knowledge-rows.ts';
import { unconfirmedWord } from '../learning/stated-by.ts';
import { MnemoraError } from '../model/error.ts';
import { memoryEvidence, type MemoryEvidence } from '../recall/gate/memory-evidence.ts';
import { questionTerms } from '../recall/gate/question-features.ts';
import { analyze } from '../search/analyze.ts';
import type { Engine } from './engine.ts';

/**
 * What the memory holds on a question. To be called before anything is waited for: the rows go on changing.
 *
 * @param facts those that are about what the question names
 */
export function evidenceOf(
  { index }: Engine,
  { statementIndex }: KnowledgeRows,
  question: string,
  facts: readonly Triple[],
): MemoryEvidence {
  const terms = questionTerms(question);
  // Messages may be cut into other words than statements are.
  const messageTerms = index.analyze ? questionTerms(question, index.analyze) : terms;
  const places = index.wordPlaces(messageTerms);
  const entities = facts.flatMap(({ subject, object }) => [subject, object]);
  const names = new Set([
    ...statementIndex.namesAmong(terms),
    ...entities
      .filter((name) => name !== USER_NAME && isName(name))
      .flatMap((name) => termsAmong(name, terms)),
  ]);
  const speakers = new Set(index.speakersAmong(messageTerms));
  const stated = [
    ...statementIndex.statedTerms(terms),
    ...facts
      .filter((fact) => unconfirmedWord(fact) === undefined)
      .flatMap((fact) => [NOTHING, NOTHING, new Set(termsAmong(sentenceOf(fact), terms))]),
  ];
  if (messageTerms === terms) return memoryEvidence(terms, { ...places, stated, names, speakers });
  const { messageCoverage, namesSpeaker } = memoryEvidence(messageTerms, {
    ...places,
    stated: [],
    names,
    speakers,
  });
  const own = memoryEvidence(terms, { rarity: () => 1, found: [], stated, names, speakers });
  return { ...own, messageCoverage, namesSpeaker };
}

/** Between facts, which say nothing of one another. */
const NOTHING: ReadonlySet<string> = new Set();

/** Whether something is called so, and not described: what a user likes is no name. */
function isName(entity: string): boolean {
  return /^\p{Lu}/u.test(entity);
}

function termsAmong(text: string, terms: ReadonlySet<string>): string[] {
  return analyze(text).filter((term) => terms.has(term));
}

/** @throws MnemoraError `invalid-option` */
export function requireRelevance(minRelevance: unknown): number {
  if (typeof minRelevance === 'number' && minRelevance >= 0 && minRelevance <= 1) return minRelevance;
  throw new MnemoraError(
    'invalid-option',
    `minRelevance must be a number from 0 to 1, not ${String(minRelevance)}.`,
  );
}
