import type { KnowledgeRows } from '../learning/knowledge-rows.ts';
import { MnemoraError } from '../model/error.ts';
import { memoryEvidence, type MemoryEvidence } from '../recall/gate/memory-evidence.ts';
import { questionTerms } from '../recall/gate/question-terms.ts';
import type { Engine } from './engine.ts';

/** What the memory holds on a question. To be called before anything is waited for: the rows go on changing. */
export function evidenceOf(
  { index }: Engine,
  { statementIndex }: KnowledgeRows,
  question: string,
): MemoryEvidence {
  const terms = questionTerms(question);
  // Messages may be cut into other words than statements are.
  const messageTerms = index.analyze ? questionTerms(question, index.analyze) : terms;
  const places = index.wordPlaces(messageTerms);
  const names = new Set([...statementIndex.namesAmong(terms), ...index.speakersAmong(messageTerms)]);
  const stated = statementIndex.statedTerms(terms);
  if (messageTerms === terms) return memoryEvidence(terms, { ...places, stated, names });
  const { messageCoverage } = memoryEvidence(messageTerms, { ...places, stated: [], names });
  return { ...memoryEvidence(terms, { rarity: () => 1, found: [], stated, names }), messageCoverage };
}

/** @throws MnemoraError `invalid-option` */
export function requireRelevance(minRelevance: unknown): number {
  if (typeof minRelevance === 'number' && minRelevance >= 0 && minRelevance <= 1) return minRelevance;
  throw new MnemoraError(
    'invalid-option',
    `minRelevance must be a number from 0 to 1, not ${String(minRelevance)}.`,
  );
}
