import { sentenceOf, type Triple } from '../../graph/triple.ts';
import { foreignParts } from '../../language/pasted-parts.ts';
import { readText, type ReadText } from '../../language/read-text.ts';
import { analyze } from '../../language/terms.ts';
import { USER_NAME } from '../../learning/first-person.ts';
import type { KnowledgeRows } from '../../learning/knowledge-rows.ts';
import { unconfirmedSpeaker } from '../../learning/speaker.ts';
import { fold } from '../../language/fold.ts';
import { hasWord } from '../../language/words/life-words.ts';
import { innerNames } from '../../learning/claims/claim-index.ts';
import { runInSlices, type Steps } from '../../model/event-loop.ts';
import { messageText, type StoredMessage } from '../../model/message.ts';
import type { ParsedQuery } from '../../search/analyzer.ts';
import type { TimedQuestion } from '../ask-question.ts';
import type { FoundTurn } from '../layout/context-layout.ts';
import type { RecallParts } from '../recall-parts.ts';
import type { ClaimsByMessage } from '../told-claims.ts';
import { memoryEvidence, type MemoryEvidence, type WordPlaces } from './memory-evidence.ts';
import { scoreQuestion, type GateScore } from './score-question.ts';
import { isSpokenOf } from './spoken-of.ts';

/** Number of top-ranked turns that are read for claims of the user that were not learned yet. */
const READ_TURNS = 10;
/** Separator between texts, so that terms on both sides of it do not count as neighbors. */
const APART: readonly ReadonlySet<string>[] = [new Set(), new Set()];

/** The words of a question, and where they occur in what is stored. */
export interface AskedWords {
  /** Content words by the library's own analyzer. */
  readonly terms: ReadonlySet<string>;
  /** Content words as messages are split into them. */
  readonly messageTerms: ReadonlySet<string>;
  readonly places: WordPlaces;
}

/**
 * Looks up the words of a question in rows that must not change meanwhile.
 *
 * @param facts those about what the question names
 */
export function lookUpWords(
  { index }: RecallParts,
  { claimIndex }: KnowledgeRows,
  { question, read }: TimedQuestion,
  facts: readonly Triple[],
): AskedWords {
  const terms = read.askedTerms;
  const messageTerms = index.analyze ? contentWords(question, terms) : terms;
  const termsAmong = (text: string): string[] => analyze(text).filter((term) => terms.has(term));
  // A name that is not capitalized is a description rather than a proper name.
  const named = facts
    .flatMap(({ subject, object }) => [subject, object])
    .filter((name) => name !== USER_NAME && /^\p{Lu}/u.test(name));
  // A caller's analyzer is called once for a question, so that its terms for single words are not known.
  const written = index.analyze ? [] : innerNames(question.text);
  const givenNames = written.filter((name) => !hasWord(fold(name), 'date')).flatMap(termsAmong);
  const found = index.wordPlaces(messageTerms);
  const stated = [
    ...claimIndex.statedTerms(terms, rarityOf(terms, messageTerms, found)),
    ...facts
      .filter((fact) => unconfirmedSpeaker(fact) === undefined)
      .map((fact) => new Set(termsAmong(sentenceOf(fact)))),
  ];
  const places = {
    ...found,
    stated: stated.flatMap((each) => [...APART, each]),
    names: new Set([...claimIndex.namesAmong(terms), ...named.flatMap(termsAmong)]),
    speakers: new Set(index.speakersAmong(messageTerms, givenNames)),
  };
  return { terms, messageTerms, places };
}

/**
 * Returns the words by the caller's analyzer, which is called once for a question, without those that are words of the
 * question's frame or stop words for the library's own.
 */
function contentWords({ words, messageWords }: ParsedQuery, terms: ReadonlySet<string>): ReadonlySet<string> {
  const others = new Set(words.filter((word) => !terms.has(word)));
  return new Set(messageWords.filter((word) => !others.has(word)));
}

/** Input of {@link judgeQuestion}. */
export interface JudgedQuestion {
  readonly question: ReadText;
  readonly asked: AskedWords;
  /** The turns that search has found, the best first. */
  readonly found: readonly FoundTurn[];
  readonly claims: ClaimsByMessage;
  readonly minRelevance: number;
  /** Name of the user: see `foreignParts`. */
  readonly userName: string | undefined;
}

/**
 * Decides whether a question needs memory. Claims of the user count even before they are learned: those in the
 * top-ranked turns are extracted in the same way as in the background.
 */
export async function judgeQuestion(judged: JudgedQuestion): Promise<GateScore> {
  const { question, asked, found, minRelevance } = judged;
  const { features } = question;
  const learned = scoreQuestion({ ...features, ...evidenceOf(asked) }, { minRelevance });
  if (learned.decision === 'full') return learned;
  const said = await runInSlices(saidIn(judged));
  const isTold = found.some(({ hasAskedPassage }) => hasAskedPassage);
  if (said.length === 0 && !isTold) return learned;
  const texts = said.map(({ text }) => text);
  const spokenOf = Number(isTold || isSpokenOf(question, texts));
  const unlearned = await statedUnlearned(said, judged);
  return scoreQuestion({ ...features, ...evidenceOf(asked, unlearned), spokenOf }, { minRelevance });
}

/** A message of the user, and the parts of it that are in the user's own words. */
interface Said {
  readonly message: StoredMessage;
  readonly text: string;
}

function* saidIn({ found, asked, userName }: JudgedQuestion): Steps<Said[]> {
  const said: Said[] = [];
  for (const message of found.slice(0, READ_TURNS).flatMap((turn) => turn.messages)) {
    if (message.role !== 'user') continue;
    yield;
    const whole = messageText(message);
    const text = foreignParts(message, whole, userName).reduce(
      (rest, part) => rest.replaceAll(part, ' '),
      whole,
    );
    if (!readText(text).isRequest && analyze(text).some((term) => asked.terms.has(term)))
      said.push({ message, text });
  }
  return said;
}

/** Returns the texts of the claims in messages that nothing was learned from yet. */
async function statedUnlearned(
  said: readonly Said[],
  { claims, userName }: JudgedQuestion,
): Promise<readonly string[][]> {
  const messages = said.flatMap(({ message }) => (claims.statedIn(message.id).length === 0 ? [message] : []));
  if (messages.length === 0) return [];
  const { claimsOfTurn } = await import('../../learning/claims/learn-claims.ts');
  return messages.map((message) => claimsOfTurn([message], [], userName).map(({ text }) => text));
}

function evidenceOf(
  { terms, messageTerms, places }: AskedWords,
  unlearned: readonly (readonly string[])[] = [],
): MemoryEvidence {
  const among = (texts: readonly string[]): string[] =>
    texts.flatMap((text) => analyze(text).filter((term) => terms.has(term)));
  const known = {
    ...places,
    stated: [...places.stated, ...unlearned.flatMap((texts) => [...APART, new Set(among(texts))])],
    names: new Set([...places.names, ...among(unlearned.flat().flatMap(innerNames))]),
  };
  const evidence = memoryEvidence(messageTerms, known);
  if (messageTerms === terms) return evidence;
  const { messageCoverage, namesSpeaker } = evidence;
  const own = memoryEvidence(terms, { ...known, rarity: rarityOf(terms, messageTerms, places), found: [] });
  return { ...own, messageCoverage, namesSpeaker };
}

/** Returns the rarity of the words of claims. Where messages are split into other words than claims, all count the same. */
function rarityOf(
  terms: ReadonlySet<string>,
  messageTerms: ReadonlySet<string>,
  { rarity }: Pick<WordPlaces, 'rarity'>,
): WordPlaces['rarity'] {
  return messageTerms === terms ? rarity : () => 1;
}
