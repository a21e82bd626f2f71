import { requireTime } from '../model/clock.ts';
import { MnemoraError } from '../model/error.ts';
import type { KnownAtQuery } from '../graph/graph-query.ts';
import { sentenceOf } from '../graph/fact-sentence.ts';
import { viewOf } from '../graph/knowledge-graph.ts';
import type { Triple } from '../graph/triple.ts';
import { factsAbout } from '../learning/facts-about.ts';
import { pause } from '../model/pause.ts';
import { MAX_MESSAGE_CHARACTERS } from '../model/message.ts';
import { assembleContext, type AssembleInput } from '../recall/assemble-context.ts';
import { explainContext, type ContextCandidate } from '../recall/explain-context.ts';
import type { ContextNote, RecalledContext } from '../recall/context-item.ts';
import { requireScope } from '../storage/append-plan.ts';
import type { SummaryRecord } from '../storage/schema.ts';
import { countTurns, listRecent, listUncovered } from './counted-turns.ts';
import { SUMMARY_ID } from './queues.ts';
import type { Engine } from './engine.ts';
import { requireCount } from './options.ts';
import { searchTurns } from './search.ts';

export interface RecallOptions {
  /** The host page's system text. @default none */
  system?: string;
  /** Tokens of the whole request. @default that of `createMemory` */
  maxTokens?: number;
  /** @default the session of this memory */
  sessionId?: string;
  /** Lays out what was known at this time, in milliseconds since 1970. @default all that is known */
  knownAt?: number;
  signal?: AbortSignal;
}

export const RECALL_OPTIONS: readonly (keyof RecallOptions)[] = [
  'system',
  'maxTokens',
  'sessionId',
  'knownAt',
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
  const { system = '', maxTokens = engine.settings.maxTokens, sessionId, knownAt, signal } = options;
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
  const isKnown = ({ createdAt }: { createdAt: number }): boolean =>
    knownAt === undefined || createdAt <= knownAt;
  // A turn is known when it has ended: neither half of it before, nor an answer that was still to come.
  const isKnownTurn = ({ messages }: { messages: readonly { createdAt: number }[] }): boolean =>
    messages.every(isKnown);
  signal?.throwIfAborted();
  const { scope, clock, recentTurns } = engine.settings;
  const session = await engine.stores.transcript.ensureSession(
    sessionId,
    scope,
    requireTime(clock(), 'The time of the clock'),
  );
  requireScope(session, scope);
  const areUncovered = engine.enrichment !== undefined && recentTurns > 0;
  const when = knownAt === undefined ? {} : { knownAt };
  const known = await readKnown(engine, sessionId, input, when, signal);
  const [tokenizer, recent] = await Promise.all([
    engine.tokenizer(),
    areUncovered
      ? listUncovered(engine, sessionId, known.coversSeq, maxTokens, signal)
      : listRecent(engine, sessionId, signal),
  ]);
  const turns = (await countTurns(engine, tokenizer, recent)).filter(isKnownTurn);
  // Those in the window are found too, and left out when the window is known.
  const limit = FOUND_TURNS + Math.min(turns.length, FOUND_TURNS);
  const found = await searchTurns(engine, input, limit, when, signal);
  return {
    system: system.toWellFormed(),
    input: input.toWellFormed(),
    mark: session.fenceMark,
    ...known.notes,
    turns,
    areUncovered,
    found: found.filter(isKnownTurn),
    recentTurns,
    maxTokens,
    tokenizer,
  };
}

interface Known {
  /** All messages of the session up to here are in the summary. */
  coversSeq: number;
  notes: { pinned: ContextNote[]; summary?: ContextNote; facts: ContextNote[] };
}

async function readKnown(
  engine: Engine,
  sessionId: string,
  input: string,
  when: KnownAtQuery,
  signal: AbortSignal | undefined,
): Promise<Known> {
  const { summary } = await engine.stores.summaries.load(sessionId, SUMMARY_ID, signal);
  const rows = await engine.graph.rows(signal); // last: nothing may be waited for while they are read
  const isPinned = (fact: Triple): boolean => rows.fact(fact.id)?.isPinned === true;
  const view = viewOf(rows.graph, when);
  const pinned = rows
    .pinnedFacts()
    .toSorted((a, b) => a.seq - b.seq)
    .flatMap(({ id }) => (view.holds(id) ? (view.triple(id) ?? []) : []));
  const facts = factsAbout(rows, input, { ...when, limit: FOUND_FACTS });
  const isUsable = summary !== undefined && summary.updatedAt <= (when.knownAt ?? Infinity);
  return {
    coversSeq: isUsable ? summary.coversSeq : -1,
    notes: {
      pinned: pinned.map((fact) => factNote(fact, 0, {})),
      ...(isUsable ? { summary: summaryNote(summary) } : {}),
      facts: facts
        .filter(({ fact }) => !isPinned(fact))
        .map(({ fact, score, why }) => factNote(fact, score, why)),
    },
  };
}

function factNote(fact: Triple, score: number, why: Readonly<Record<string, number>>): ContextNote {
  const since = new Date(fact.validFrom).toISOString().slice(0, 10);
  return {
    text: `${sentenceOf(fact)} (${since})`,
    sources: [...new Set(fact.sources.flatMap((source) => (source.isContext ? [] : [source.messageId])))],
    factId: fact.id,
    createdAt: fact.validFrom,
    score,
    why,
  };
}

function summaryNote({ text, sessionId, updatedAt }: SummaryRecord): ContextNote {
  return { text, sources: [], sessionId, createdAt: updatedAt, score: 0, why: {} };
}
