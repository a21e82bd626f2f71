import { requireTime } from '../model/clock.ts';
import { MnemoraError } from '../model/error.ts';
import { yieldToEventLoop } from '../model/yield-to-event-loop.ts';
import { MAX_MESSAGE_CHARACTERS } from '../model/message.ts';
import { assembleContext, type AssembleInput } from '../recall/assemble-context.ts';
import { SHARES, type ContextNote, type RecalledContext } from '../recall/context-item.ts';
import { turnIdOf, type CountedTurn } from '../recall/context-layout.ts';
import { isQuotable, fenceMarks } from '../recall/fence.ts';
import { explainContext, type ContextCandidate } from '../recall/explain-context.ts';
import { questionFeatures } from '../recall/gate/question-features.ts';
import { LITTLE, scoreQuestion } from '../recall/gate/score-question.ts';
import { timesNamed } from '../recall/time-window.ts';
import { parseQuery } from '../search/analyzer.ts';
import type { SummaryRecord } from '../storage/schema.ts';
import { requireId } from './call-options.ts';
import type { Engine } from './engine.ts';
import { requireCount } from './options.ts';
import { profileNotes } from './profile.ts';
import { readKnown } from './read-known.ts';
import { readState, sendsUncovered } from './read-state.ts';
import type { RecallOptions } from './recall-options.ts';
import { requireRelevance } from './relevance.ts';
import { loadTurns, rankMessages } from './search.ts';
import { withWorth, statedAmong, statedElsewhere, statedIn, withOutdated } from './stated-turns.ts';
import { statementsByMessage } from './statements-by-message.ts';

/** Turns that are considered for the fence; the budget keeps far fewer. */
const FOUND_TURNS = 32;

export async function recallContext(
  engine: Engine,
  input: string,
  options: SessionRecallOptions,
): Promise<RecalledContext> {
  const given = await gather(engine, input, options);
  await yieldToEventLoop(); // of several requests at once, each is laid out in a task of its own
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
  const [{ memoryIntent, quietFor }, tokenizer, secret, vector, state, known] = await Promise.all([
    import('../recall/intent/memory-intent.ts'),
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
  const complete = (await loadTurns(engine, hits, limit, signal)).filter(isKnownTurn);
  const statements = statementsByMessage(known.profile.statements);
  const profile = profileNotes(known.profile, tokenizer, profileTokens);
  const gate =
    quietFor(memoryIntent(input)) ??
    scoreQuestion({ ...questionFeatures(input), ...known.evidence }, { minRelevance });
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
    stated: [
      ...statedIn(hits, statements, complete, settings.userName),
      ...(gate.decision === 'full'
        ? statedElsewhere(statements, complete, (id) => engine.index.get(id))
        : []),
    ],
    gapNotes: (left) => statedAmong(known.profile.statements, left),
    found: withOutdated(withWorth(complete, statements), known.outdated),
    ...(gate.decision === 'full' ? {} : { reach: REACHES[gate.decision], gate }),
    recentTurns: settings.recentTurns,
    maxTokens,
    tokenizer,
  };
}

/** What is sent at most where the question does not ask for it, or hardly. */
const REACHES = {
  quiet: { maxTurns: 0, maxTokens: 0 },
  little: { maxTurns: LITTLE.turns, maxTokens: LITTLE.tokens },
} as const;

function summaryNote({ text, sessionId, updatedAt }: SummaryRecord): ContextNote {
  return { text, origin: 'conversation', sources: [], sessionId, createdAt: updatedAt, score: 0, why: {} };
}
