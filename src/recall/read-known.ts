import type { KnownAtQuery } from '../graph/graph-query.ts';
import { sentenceOf, type Triple } from '../graph/triple.ts';
import { analyze } from '../language/terms.ts';
import { resolveQuery, factsAbout } from '../learning/facts-about.ts';
import { USER_NAME } from '../learning/first-person.ts';
import type { KnowledgeRows } from '../learning/knowledge-rows.ts';
import type { Truth } from '../learning/claims/truth.ts';
import type { Steps } from '../model/event-loop.ts';
import { unconfirmedSpeaker } from '../learning/speaker.ts';
import type { FusedHit } from '../search/fuse.ts';
import { knowledgeOf, type TimedQuestion } from './ask-question.ts';
import { lookUpWords, type AskedWords } from './gate/judge-question.ts';
import type { QueryKnowledge } from './index/scope-index.ts';
import type { ContextNote } from './layout/context-item.ts';
import { profileSources, type ProfileSources } from './profile/profile.ts';
import type { RecallParts } from './recall-parts.ts';
import { worthiestMessages } from './told-claims.ts';

/** Maximum number of facts that are considered. */
const FOUND_FACTS = 50;

/** What is known about a question. */
export interface Known {
  readonly pinned: ContextNote[];
  readonly facts: ContextNote[];
  readonly query: QueryKnowledge;
  readonly profile: ProfileSources;
  readonly asked: AskedWords;
  /** Messages with what is most worth telling, whatever is asked. */
  readonly worthiest: readonly FusedHit[];
}

/** Returns what is known about a question. The rows must not change until it is done. */
export function* readKnown(
  parts: RecallParts,
  rows: KnowledgeRows,
  truth: Truth,
  asked: TimedQuestion,
  when: KnownAtQuery,
): Steps<Known> {
  const { view } = truth;
  const pinned = [...rows.pinnedFacts.values()]
    .toSorted((a, b) => a.seq - b.seq)
    .flatMap(({ id }) => (view.holds(id) ? (view.triple(id) ?? []) : []));
  const resolved = resolveQuery(rows, asked.question);
  yield;
  const found = factsAbout(rows, resolved, FOUND_FACTS, view);
  const facts = found.map(({ fact }) => fact);
  yield;
  const query = knowledgeOf(rows, resolved, asked, when);
  yield;
  const profile = yield* profileSources(rows, truth, when);
  yield;
  const words = lookUpWords(parts, rows, asked, facts);
  yield;
  const worthiest = yield* worthiestMessages(rows, truth, (id) => parts.index.get(id) !== undefined);
  return {
    pinned: pinned.map((fact) => factNote(fact, 0, {})),
    facts: found
      .filter(({ fact }) => rows.facts.get(fact.id)?.isPinned !== true && truth.holds(fact))
      .map(({ fact, score, why }) => ({
        ...factNote(fact, score, why),
        isGeneral: why['words'] === 0 && [fact.subject, fact.object].includes(USER_NAME),
      })),
    query,
    profile,
    asked: words,
    worthiest,
  };
}

function factNote(fact: Triple, score: number, why: Readonly<Record<string, number>>): ContextNote {
  const since = new Date(fact.validFrom).toISOString().slice(0, 10);
  const speaker = unconfirmedSpeaker(fact);
  // A message makes the fact redundant if it contains these names; the user's name occurs in none.
  const names = [fact.subject, fact.object].filter((name) => name !== USER_NAME);
  return {
    text: `${sentenceOf(fact)} (${since}${speaker === undefined ? '' : `, said by ${SPEAKERS[speaker]}`})`,
    ...(speaker === undefined ? {} : { origin: speaker }),
    sources: [...new Set(fact.sources.flatMap((source) => (source.isContext ? [] : [source.messageId])))],
    factId: fact.id,
    ...(fact.source === 'user' ? {} : { saidBy: analyze(names.join(' ')) }),
    createdAt: fact.validFrom,
    score,
    why,
  };
}

/** Names of speakers as a model reads them. */
const SPEAKERS = {
  assistant: 'the assistant',
  tool: 'a tool',
  document: 'a pasted text',
  import: 'an import',
  model: 'a model',
} as const;
