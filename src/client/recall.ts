import { requireTime } from '../model/clock.ts';
import { MnemoraError } from '../model/error.ts';
import type { KnownAtQuery } from '../graph/graph-query.ts';
import { sentenceOf } from '../graph/fact-sentence.ts';
import { viewOf } from '../graph/knowledge-graph.ts';
import type { Triple } from '../graph/triple.ts';
import { askedOf } from '../learning/asked-question.ts';
import { USER_NAME } from '../learning/first-person.ts';
import { factsAbout } from '../learning/facts-about.ts';
import type { KnowledgeRows } from '../learning/knowledge-rows.ts';
import { outdatedParts, type OutdatedQuote } from '../learning/outdated-parts.ts';
import { unconfirmedWord } from '../learning/stated-by.ts';
import { pause } from '../model/pause.ts';
import { MAX_MESSAGE_CHARACTERS } from '../model/message.ts';
import { assembleContext, SHARES, type AssembleInput } from '../recall/assemble-context.ts';
import { turnIdOf, type CountedTurn, type FoundTurn } from '../recall/context-layout.ts';
import { isQuotable } from '../recall/fence.ts';
import { explainContext, type ContextCandidate } from '../recall/explain-context.ts';
import type { ContextNote, RecalledContext } from '../recall/context-item.ts';
import { statedText } from '../recall/stated-text.ts';
import { fenceMarks } from '../recall/fence-marks.ts';
import type { MemoryEvidence } from '../recall/gate/memory-evidence.ts';
import { questionFeatures } from '../recall/gate/question-features.ts';
import { LITTLE, scoreQuestion } from '../recall/gate/score-question.ts';
import type { QueryKnowledge } from '../recall/query-knowledge.ts';
import { timesNamed, type NamedTimes } from '../recall/time-window.ts';
import { parseQuery, type ParsedQuery } from '../search/parsed-query.ts';
import type { FusedHit } from '../search/fuse.ts';
import type { StatementRow, SummaryRecord } from '../storage/schema.ts';
import { requireId } from './call-options.ts';
import { groupedBy } from '../storage/erasure.ts';
import type { Engine } from './engine.ts';
import { requireCount } from './options.ts';
import { profileNotes, profileSources, type ProfileSources } from './profile.ts';
import { knowledgeOf } from './query-knowledge.ts';
import { readState, sendsUncovered } from './read-state.ts';
import { evidenceOf, requireRelevance } from './relevance.ts';
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
  /**
   * How sure it must be that memory has something to say to the input before facts and old turns are sent, from 0 (they
   * always are) to 1; where it is unsure, a few are.
   * @default 0.5
   */
  minRelevance?: number;
  signal?: AbortSignal;
}

export const RECALL_OPTIONS: readonly (keyof RecallOptions)[] = [
  'system',
  'maxTokens',
  'sessionId',
  'knownAt',
  'turnId',
  'minRelevance',
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
  const isBehind = given.areUncovered && !context.overBudget && leftBehind(given, context).length > 0;
  if (isBehind) {
    engine.events.warn({
      code: 'summary-behind',
      message:
        'Turns of this session that no summary covers yet do not fit the request. What was stated in them is sent in their place.',
    });
  }
  return context;
}

function leftBehind({ turns }: AssembleInput, { items }: RecalledContext): readonly CountedTurn[] {
  const sent = new Set(items.map((item) => item.turnId));
  return turns.filter((turn) => !sent.has(turnIdOf(turn)) && turn.messages.some(isQuotable));
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
  const minRelevance = requireRelevance(options.minRelevance ?? 0.5);
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
    engine.catchUp((rows) => readKnown(engine, rows, { question, times, now }, when), signal),
  ]);
  const profileTokens = Math.min(settings.profileTokens, maxTokens * SHARES.profile);
  const turns = engine.tokenCounts.countTurns(tokenizer, state.messages).filter(isKnownTurn);
  // Those in the window are found too, and left out when the window is known.
  const limit = FOUND_TURNS + Math.min(turns.length, FOUND_TURNS);
  const hits = await rankMessages(engine, { question, vector, known: known.query }, when, { signal });
  const found = await loadTurns(engine, hits, limit, signal);
  const profile = profileNotes(known.profile, tokenizer, profileTokens);
  const gate = scoreQuestion({ ...questionFeatures(input), ...known.evidence }, { minRelevance });
  const marks = fenceMarks(secret, sessionId, turnId === undefined ? { text: input } : { turnId });
  return {
    system: system.toWellFormed(),
    input: input.toWellFormed(),
    mark: marks.session,
    inputMark: marks.question,
    pinned: known.pinned,
    profile,
    profileTokens,
    facts: known.facts,
    ...(state.summary ? { summary: summaryNote(state.summary) } : {}),
    turns,
    areUncovered: sendsUncovered(engine),
    stated: statedIn(hits, known.profile, found.filter(isKnownTurn)),
    gapNotes: (left) => statedAmong(known.profile, left),
    found: withOutdated(behindStated(found.filter(isKnownTurn), known.profile), known.outdated),
    ...(gate.decision === 'full' ? {} : { reach: REACHES[gate.decision], gate }),
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
  readonly profile: ProfileSources;
  readonly evidence: MemoryEvidence;
  readonly outdated: ReadonlyMap<string, OutdatedQuote>;
}

/** What is known about a question. To be called before anything is waited for: the rows go on changing. */
function readKnown(
  engine: Engine,
  rows: KnowledgeRows,
  { question, times, now }: TimedQuestion,
  when: KnownAtQuery,
): Known {
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
      .map(({ fact, score, why }) => ({
        ...factNote(fact, score, why),
        isGeneral: why['words'] === 0 && [fact.subject, fact.object].includes(USER_NAME),
      })),
    query: knowledgeOf(rows, asked, times, now, when),
    profile: profileSources(rows, when),
    evidence: evidenceOf(engine, rows, question.text),
    outdated: outdatedParts(rows, when),
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

/** What is sent at most where the question does not ask for it, or hardly. */
const REACHES = {
  quiet: { maxTurns: 0, maxTokens: 0 },
  little: { maxTurns: LITTLE.turns, maxTokens: LITTLE.tokens },
} as const;

/** Messages found of which sentences are told. */
const STATED_MESSAGES = 40;

/** What the user states in the messages that search found best and is still so, turn by turn. */
function statedIn(
  hits: readonly FusedHit[],
  { statements }: ProfileSources,
  found: readonly FoundTurn[],
): ContextNote[] {
  const scores = new Map(
    hits.slice(0, STATED_MESSAGES).map(({ id, score, parts }) => [id, { score, parts }]),
  );
  const holding = groupedBy(
    statements.filter(({ endedBy }) => endedBy === undefined),
    ({ messageId }) => messageId,
  );
  return found.flatMap(({ messages }) => {
    const notes = messages.flatMap(({ id, turnId, sessionId, createdAt }) => {
      const hit = scores.get(id);
      const rows = holding.get(id) ?? [];
      if (!hit || rows.length === 0) return [];
      return [
        {
          text: statedText(rows, createdAt),
          sources: [id],
          statements: rows,
          turnId,
          sessionId,
          createdAt,
          score: hit.score,
          why: hit.parts,
        },
      ];
    });
    return notes.slice(0, 1);
  });
}

/** What was stated in some turns and is still so, the newest first. */
function statedAmong({ statements }: ProfileSources, turns: readonly CountedTurn[]): ContextNote[] {
  const ids = new Set(turns.flatMap(({ messages }) => messages.map((message) => message.id)));
  return statements
    .filter(({ messageId, endedBy }) => ids.has(messageId) && endedBy === undefined)
    .toSorted((a, b) => b.saidAt - a.saidAt || (a.id < b.id ? -1 : 1))
    .map(noteOf);
}

function noteOf(row: StatementRow): ContextNote {
  return {
    text: statedText([row], row.saidAt),
    sources: [row.messageId],
    statements: [row],
    createdAt: row.saidAt,
    score: row.score,
    why: {},
  };
}

/** Where the user states nothing, there is less to remember. */
const NOTHING_STATED = 3;

function behindStated(turns: readonly FoundTurn[], { statements }: ProfileSources): FoundTurn[] {
  const stating = new Set(statements.map(({ messageId }) => messageId));
  return turns.map((turn) =>
    turn.messages.some(({ id }) => stating.has(id)) ? turn : { ...turn, score: turn.score - NOTHING_STATED },
  );
}

/** What is no longer true says so, and comes behind the turn that says what is. */
function withOutdated(
  turns: readonly FoundTurn[],
  outdated: ReadonlyMap<string, OutdatedQuote>,
): FoundTurn[] {
  const scores = new Map(
    turns.flatMap(({ messages, score }) => messages.map(({ id }) => [id, score] as const)),
  );
  return turns.map((turn) => {
    const part = turn.messages.map(({ id }) => outdated.get(id)).find((each) => each !== undefined);
    if (!part) return turn;
    const successor = scores.get(part.byMessageId ?? '') ?? turn.score;
    return { ...turn, outdated: part, score: Math.min(turn.score, successor - BEHIND) };
  });
}

/** Of scores from 0 to about 3: nothing comes between. */
const BEHIND = 1e-9;

/** Whose word a fact is, as a model gets to read it. */
const WORDED = { assistant: 'the assistant', tool: 'a tool' } as const;

function summaryNote({ text, sessionId, updatedAt }: SummaryRecord): ContextNote {
  return { text, sources: [], sessionId, createdAt: updatedAt, score: 0, why: {} };
}
