import { requireTime } from '../model/clock.ts';
import { MnemoraError } from '../model/error.ts';
import type { KnownAtQuery } from '../graph/graph-query.ts';
import { sentenceOf } from '../graph/fact-sentence.ts';
import { viewOf } from '../graph/knowledge-graph.ts';
import type { Triple } from '../graph/triple.ts';
import { askedOf } from '../learning/asked-question.ts';
import { factsAbout } from '../learning/facts-about.ts';
import type { KnowledgeRows } from '../learning/knowledge-rows.ts';
import { unconfirmedWord } from '../learning/stated-by.ts';
import { pause } from '../model/pause.ts';
import { MAX_MESSAGE_CHARACTERS } from '../model/message.ts';
import { assembleContext, type AssembleInput } from '../recall/assemble-context.ts';
import { explainContext, type ContextCandidate } from '../recall/explain-context.ts';
import type { ContextNote, RecalledContext } from '../recall/context-item.ts';
import { fenceMarks } from '../recall/fence-marks.ts';
import type { QueryKnowledge } from '../recall/query-knowledge.ts';
import { timesNamed, type NamedTimes } from '../recall/time-window.ts';
import { parseQuery, type ParsedQuery } from '../search/parsed-query.ts';
import type { SummaryRecord } from '../storage/schema.ts';
import { requireId } from './call-options.ts';
import type { Engine } from './engine.ts';
import { requireCount } from './options.ts';
import { knowledgeOf } from './query-knowledge.ts';
import { readState, sendsUncovered } from './read-state.ts';
import { loadTurns, rankMessages } from './search.ts';

export interface RecallOptions {
  /** The host page's system text. @default none */
  system?: string;
  /** Tokens of the whole request. @default that of `createMemory` */
  maxTokens?: number;
  /** @default the session of this memory */
  sessionId?: string;
  /** Lays out what was known at this time, in milliseconds since 1970. @default all that is known */
  knownAt?: number;
  /**
   * The turn that the answer will end. What is recalled for it then stands between marks that no other turn has.
   * @default none: the same question has the same marks
   */
  turnId?: string;
  signal?: AbortSignal;
}

export const RECALL_OPTIONS: readonly (keyof RecallOptions)[] = [
  'system',
  'maxTokens',
  'sessionId',
  'knownAt',
  'turnId',
  'signal',
];

/** Turns that are considered for the fence; the budget keeps far fewer. */
const FOUND_TURNS = 32;
/** Facts that are considered. */
const FOUND_FACTS = 50;

export async function recallContext(
  engine: Engine,
  input: string,
  options: SessionRecallOptions,
): Promise<RecalledContext> {
  const given = await gather(engine, input, options);
  await pause(); // of several requests at once, each is laid out in a task of its own
  const context = assembleContext(given);
  if (context.overBudget) {
    engine.events.warn({
      code: 'over-budget',
      message: `The system text and the input alone need ${context.tokens} tokens; ${given.maxTokens} were allowed. They are sent without memory.`,
    });
  }
  return context;
}

/** All that `recallContext` considers, in or out. */
export async function explainRecall(
  engine: Engine,
  input: string,
  options: SessionRecallOptions,
): Promise<ContextCandidate[]> {
  return explainContext(await gather(engine, input, options));
}

type SessionRecallOptions = RecallOptions & { sessionId: string };

async function gather(engine: Engine, input: string, options: SessionRecallOptions): Promise<AssembleInput> {
  const { system = '', maxTokens = engine.settings.maxTokens, sessionId, knownAt, turnId, signal } = options;
  if (typeof input !== 'string' || input.length > MAX_MESSAGE_CHARACTERS) {
    throw new MnemoraError(
      'invalid-input',
      `The input must be a string of at most ${MAX_MESSAGE_CHARACTERS} characters.`,
    );
  }
  if (typeof system !== 'string')
    throw new MnemoraError('invalid-input', 'The system text must be a string.');
  requireCount(maxTokens, 'maxTokens', 1);
  if (knownAt !== undefined) requireTime(knownAt, 'knownAt');
  if (turnId !== undefined) requireId(turnId, 'A turn id');
  const isKnown = ({ createdAt }: { createdAt: number }): boolean =>
    knownAt === undefined || createdAt <= knownAt;
  // A turn is known when it has ended: neither half of it before, nor an answer that was still to come.
  const isKnownTurn = ({ messages }: { messages: readonly { createdAt: number }[] }): boolean =>
    messages.every(isKnown);
  signal?.throwIfAborted();
  const { settings, stores } = engine;
  const when = knownAt === undefined ? {} : { knownAt };
  const now = requireTime(settings.clock(), 'The time of the clock');
  const question = parseQuery(input, engine.index.analyze);
  const times = timesNamed(input, now);
  const [tokenizer, secret, vector, state, known] = await Promise.all([
    engine.tokenizer(),
    stores.transcript.secret(),
    input.trim() === '' ? undefined : engine.embedQuery(input, signal),
    readState(engine, sessionId, { maxTokens, ...when, ...(signal ? { signal } : {}) }),
    engine.catchUp((rows) => readKnown(rows, { question, times, now }, when), signal),
  ]);
  const turns = engine.tokenCounts.countTurns(tokenizer, state.messages).filter(isKnownTurn);
  // Those in the window are found too, and left out when the window is known.
  const limit = FOUND_TURNS + Math.min(turns.length, FOUND_TURNS);
  const hits = await rankMessages(engine, { question, vector, known: known.query }, when, signal);
  const found = await loadTurns(engine, hits, limit, signal);
  const marks = fenceMarks(secret, sessionId, turnId === undefined ? { text: input } : { turnId });
  return {
    system: system.toWellFormed(),
    input: input.toWellFormed(),
    mark: marks.session,
    inputMark: marks.question,
    pinned: known.pinned,
    facts: known.facts,
    ...(state.summary ? { summary: summaryNote(state.summary) } : {}),
    turns,
    areUncovered: sendsUncovered(engine),
    found: found.filter(isKnownTurn),
    recentTurns: settings.recentTurns,
    maxTokens,
    tokenizer,
  };
}

interface TimedQuestion {
  readonly question: ParsedQuery;
  readonly times: NamedTimes;
  readonly now: number;
}

interface Known {
  readonly pinned: ContextNote[];
  readonly facts: ContextNote[];
  readonly query: QueryKnowledge;
}

/** What is known about a question. To be called before anything is waited for: the rows go on changing. */
function readKnown(rows: KnowledgeRows, { question, times, now }: TimedQuestion, when: KnownAtQuery): Known {
  const isPinned = (fact: Triple): boolean => rows.fact(fact.id)?.isPinned === true;
  const view = viewOf(rows.graph, when);
  const pinned = rows
    .pinnedFacts()
    .toSorted((a, b) => a.seq - b.seq)
    .flatMap(({ id }) => (view.holds(id) ? (view.triple(id) ?? []) : []));
  const asked = askedOf(rows, question);
  const facts = factsAbout(rows, asked, { ...when, limit: FOUND_FACTS });
  return {
    pinned: pinned.map((fact) => factNote(fact, 0, {})),
    facts: facts
      .filter(({ fact }) => !isPinned(fact))
      .map(({ fact, score, why }) => factNote(fact, score, why)),
    query: knowledgeOf(rows, asked, times, now, when),
  };
}

function factNote(fact: Triple, score: number, why: Readonly<Record<string, number>>): ContextNote {
  const since = new Date(fact.validFrom).toISOString().slice(0, 10);
  const speaker = unconfirmedWord(fact);
  return {
    text: `${sentenceOf(fact)} (${since}${speaker === undefined ? '' : `, said by ${WORDED[speaker]}`})`,
    sources: [...new Set(fact.sources.flatMap((source) => (source.isContext ? [] : [source.messageId])))],
    factId: fact.id,
    createdAt: fact.validFrom,
    score,
    why,
  };
}

/** Whose word a fact is, as a model gets to read it. */
const WORDED = { assistant: 'the assistant', tool: 'a tool' } as const;

function summaryNote({ text, sessionId, updatedAt }: SummaryRecord): ContextNote {
  return { text, sources: [], sessionId, createdAt: updatedAt, score: 0, why: {} };
}
