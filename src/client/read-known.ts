import { sentenceOf } from '../graph/fact-sentence.ts';
import type { KnownAtQuery } from '../graph/graph-query.ts';
import { viewOf } from '../graph/fact-graph.ts';
import type { Triple } from '../graph/triple.ts';
import { factsAbout, resolveQuery } from '../learning/facts-about.ts';
import { USER_NAME } from '../learning/first-person.ts';
import type { KnowledgeRows } from '../learning/knowledge-rows.ts';
import { outdatedParts, type OutdatedQuote } from '../learning/outdated-parts.ts';
import { unconfirmedWord } from '../learning/stated-by.ts';
import type { ContextNote } from '../recall/context-item.ts';
import type { MemoryEvidence } from '../recall/gate/memory-evidence.ts';
import type { QueryKnowledge } from '../recall/query-knowledge.ts';
import type { NamedTimes } from '../recall/time-window.ts';
import { analyze } from '../search/analyze.ts';
import type { ParsedQuery } from '../search/parsed-query.ts';
import type { Engine } from './engine.ts';
import { profileSources, type ProfileSources } from './profile.ts';
import { knowledgeOf } from './query-knowledge.ts';
import { evidenceOf } from './relevance.ts';

/** Facts that are considered. */
const FOUND_FACTS = 50;

export interface TimedQuestion {
  readonly question: ParsedQuery;
  readonly times: NamedTimes;
  readonly now: number;
}

export interface Known {
  readonly pinned: ContextNote[];
  readonly facts: ContextNote[];
  readonly query: QueryKnowledge;
  readonly profile: ProfileSources;
  readonly evidence: MemoryEvidence;
  readonly outdated: ReadonlyMap<string, OutdatedQuote>;
}

/** What is known about a question. To be called before anything is waited for: the rows go on changing. */
export function readKnown(
  engine: Engine,
  rows: KnowledgeRows,
  { question, times, now }: TimedQuestion,
  when: KnownAtQuery,
): Known {
  const isPinned = (fact: Triple): boolean => rows.facts.get(fact.id)?.isPinned === true;
  const view = viewOf(rows.graph, when);
  const pinned = [...rows.pinnedFacts.values()]
    .toSorted((a, b) => a.seq - b.seq)
    .flatMap(({ id }) => (view.holds(id) ? (view.triple(id) ?? []) : []));
  const asked = resolveQuery(rows, question);
  const facts = factsAbout(rows, asked, { ...when, limit: FOUND_FACTS });
  return {
    pinned: pinned.map((fact) => factNote(fact, 0, {})),
    facts: facts
      .filter(({ fact }) => !isPinned(fact))
      .map(({ fact, score, why }) => ({
        ...factNote(fact, score, why),
        isGeneral: why['words'] === 0 && [fact.subject, fact.object].includes(USER_NAME),
      })),
    query: knowledgeOf(rows, asked, times, now, when),
    profile: profileSources(rows, when),
    evidence: evidenceOf(
      engine,
      rows,
      question.text,
      facts.map(({ fact }) => fact),
    ),
    outdated: outdatedParts(rows, when),
  };
}

function factNote(fact: Triple, score: number, why: Readonly<Record<string, number>>): ContextNote {
  const since = new Date(fact.validFrom).toISOString().slice(0, 10);
  const speaker = unconfirmedWord(fact);
  return {
    text: `${sentenceOf(fact)} (${since}${speaker === undefined ? '' : `, said by ${WORDED[speaker]}`})`,
    ...(speaker === undefined ? {} : { origin: speaker }),
    sources: [...new Set(fact.sources.flatMap((source) => (source.isContext ? [] : [source.messageId])))],
    factId: fact.id,
    ...(fact.source === 'user' ? {} : { saidBy: wordsOf(fact) }),
    createdAt: fact.validFrom,
    score,
    why,
  };
}

/** What a message has to say of it, by name; of the user, nobody says the name. */
function wordsOf({ subject, object }: Triple): readonly string[] {
  return analyze([subject, object].filter((name) => name !== USER_NAME).join(' '));
}

/** Whose word a fact is, as a model gets to read it. */
const WORDED = {
  assistant: 'the assistant',
  tool: 'a tool',
  document: 'a pasted text',
  import: 'an import',
} as const;
