import { requireTime } from '../model/clock.ts';
import { checkOptions, type OptionChecks } from '../model/check-options.ts';
import { MnemoraError, invalidInput } from '../model/error.ts';
import { countedAhead } from '../tokens/counted-ahead.ts';
import { isLong } from '../tokens/count-in-slices.ts';
import { yieldToEventLoop } from '../model/event-loop.ts';
import { MAX_MESSAGE_CHARACTERS, messageText, parseMessages, type ChatMessage } from '../model/message.ts';
import { assembleContext, type AssembleInput } from '../recall/assemble-context.ts';
import type { ContextNote, RecalledContext } from '../recall/context-item.ts';
import { turnIdOf, type CountedTurn, type FoundTurn } from '../recall/context-layout.ts';
import { explainContext, type ContextCandidate } from '../recall/explain-context.ts';
import { isQuotable, quoteTurn } from '../recall/fence.ts';
import { fenceMarks } from '../recall/fence-marks.ts';
import { questionFeatures } from '../recall/gate/question-features.ts';
import { LITTLE, scoreQuestion } from '../recall/gate/score-question.ts';
import type { SummaryRecord } from '../storage/schema.ts';
import { checkId, checkInput, checkSignal } from './call-options.ts';
import type { Engine } from './engine.ts';
import { wholeNumberFrom } from './options.ts';
import { profileBudget, profileNotes } from './profile.ts';
import { readKnown } from './read-known.ts';
import { readState, sendsUncovered } from './read-state.ts';
import { loadTurns, rankMessages, timedQuestion } from './ranked-question.ts';
import {
  statedAmong,
  statedElsewhere,
  statedIn,
  statementsByMessage,
  withOutdated,
  withWorth,
} from './stated-turns.ts';

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
   * The conversation before the input, oldest first, where the page sends it itself: the context then has neither recent
   * turns nor a summary of the session, and recalls nothing that the conversation contains. @default none
   */
  conversation?: readonly ChatMessage[];
  /**
   * Id of the turn that the answer will end. What is recalled for it then stands between marks that no other turn has.
   * @default none: the same question has the same marks
   */
  turnId?: string;
  /**
   * How sure it must be that memory has something to say about the input before facts and old turns are sent, from 0
   * (they always are) to 1. If it is unsure, a few are sent.
   * @default 0.5
   */
  minRelevance?: number;
  signal?: AbortSignal;
}

/** A call of `recall` or `explain`. */
export interface RecallCall {
  readonly input: string;
  readonly options: RecallOptions;
  /** The session that options without one refer to. */
  readonly sessionId: string;
}

/** Maximum number of turns that are considered for the fence; the budget keeps far fewer. */
const FOUND_TURNS = 32;

/** What is sent at most if the question does not ask for it, or hardly does. */
const REACHES = {
  quiet: { maxTurns: 0, maxTokens: 0 },
  little: { maxTurns: LITTLE.turns, maxTokens: LITTLE.tokens },
} as const;

export async function recallContext(engine: Engine, call: RecallCall): Promise<RecalledContext> {
  const given = await gather(engine, 'recall', call);
  await yieldToEventLoop(); // of several concurrent requests, each is laid out in a task of its own
  const context = assembleContext(given);
  if (context.overBudget) {
    const message = `The system text and the input alone need ${context.tokens} tokens; ${given.maxTokens} were allowed. They are sent without memory.`;
    engine.events.warn({ code: 'over-budget', message });
  } else if (given.areUncovered && leavesOutTurns(given, context)) {
    const message =
      'Turns of this session that no summary covers yet do not fit the request. What was stated in them is sent in their place.';
    engine.events.warn({ code: 'summary-behind', message });
  }
  return context;
}

function leavesOutTurns({ turns }: AssembleInput, { items }: RecalledContext): boolean {
  const sent = new Set(items.map((item) => item.turnId));
  return turns.some((turn) => !sent.has(turnIdOf(turn)) && turn.messages.some(isQuotable));
}

/** Returns all that `recallContext` considers, in or out of the context. */
export async function explainRecall(engine: Engine, call: RecallCall): Promise<ContextCandidate[]> {
  const given = await gather(engine, 'explain', call);
  // What is left out is quoted as well.
  let { tokenizer } = given;
  for (const { messages } of given.found) {
    tokenizer = await countedAhead(tokenizer, quoteTurn(messages.filter(isQuotable)));
  }
  return explainContext({ ...given, tokenizer });
}

const checksOf = (method: string): OptionChecks<RecallOptions> => ({
  system: checkInput((value) => typeof value === 'string', 'The system text must be a string.'),
  maxTokens: wholeNumberFrom(1),
  sessionId: checkId('A session id'),
  knownAt: (name, value) => requireTime(value as number, name),
  conversation: () => undefined, // parsed
  turnId: checkId('A turn id'),
  minRelevance: (name, value) => {
    if (typeof value === 'number' && value >= 0 && value <= 1) return;
    throw new MnemoraError('invalid-option', `${name} must be a number from 0 to 1, not ${String(value)}.`);
  },
  signal: checkSignal(method),
});

async function gather(engine: Engine, method: string, call: RecallCall): Promise<AssembleInput> {
  const { input, options } = call;
  checkOptions(method, options, checksOf(method));
  if (typeof input !== 'string' || input.length > MAX_MESSAGE_CHARACTERS) {
    throw invalidInput(`The input must be a string of at most ${MAX_MESSAGE_CHARACTERS} characters.`);
  }
  const { settings, stores, index } = engine;
  const { system = '', maxTokens = settings.maxTokens, sessionId = call.sessionId } = options;
  const { knownAt, turnId, minRelevance = 0.5, signal } = options;
  signal?.throwIfAborted();
  // A turn is known once it has ended: not half of it before, without an answer that was still to come.
  const isKnownTurn = ({ messages }: Pick<CountedTurn, 'messages'>): boolean =>
    messages.every(({ createdAt }) => createdAt <= (knownAt ?? Infinity));
  const isSaid = options.conversation && saidIn(parseMessages(options.conversation));
  const when = knownAt === undefined ? {} : { knownAt };
  const asked = timedQuestion(engine, input);
  const [{ memoryIntent, quietFor }, tokenizer, secret, vector, state, known] = await Promise.all([
    import('../recall/intent/memory-intent.ts'),
    engine.tokenizer.get(),
    stores.transcript.secret(),
    input.trim() === '' ? undefined : engine.embedQuery(input, signal),
    isSaid ? NO_STATE : readState(engine, sessionId, { maxTokens, ...when, ...(signal ? { signal } : {}) }),
    engine.catchUp((rows) => readKnown(engine, rows, asked, when), signal),
  ]);
  const profileTokens = profileBudget(engine, maxTokens);
  const turns = (await engine.tokenCounts.countTurns(tokenizer, state.messages)).filter(isKnownTurn);
  // Those in the window are found too, and left out when the window is known.
  const limit = FOUND_TURNS + Math.min(turns.length, FOUND_TURNS);
  const ranked = { question: asked.question, vector, known: known.query };
  const hits = await rankMessages(engine, ranked, knownAt === undefined ? {} : { to: knownAt }, signal);
  const complete: FoundTurn[] = [];
  for (const turn of await loadTurns(engine, hits, limit, signal)) {
    // A message that is too long for the request is left out by its cost, before it is quoted.
    if (!isKnownTurn(turn) || isSaid?.(turn.messages.filter(isQuotable).map(messageText))) continue;
    const hasLong = turn.messages.some((message) => isLong(tokenizer, message));
    const counted = hasLong ? await engine.tokenCounts.countTurns(tokenizer, turn.messages) : [turn];
    complete.push({ ...turn, messages: counted.flatMap(({ messages }) => messages) });
  }
  const statements = statementsByMessage(known.profile.statements);
  const isNew = ({ text, statements: quoted }: ContextNote): boolean =>
    !isSaid?.(quoted ? quoted.map((each) => each.text) : [text]);
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
    profile: profile.filter(isNew),
    profileTokens,
    facts: known.facts,
    ...(state.summary ? { summary: summaryNote(state.summary) } : {}),
    turns,
    areUncovered: sendsUncovered(engine),
    stated: [
      ...statedIn(hits, statements, complete, settings.userName),
      ...(gate.decision === 'full' ? statedElsewhere(statements, complete, (id) => index.get(id)) : []),
    ].filter(isNew),
    gapNotes: (left) => statedAmong(known.profile.statements, left),
    found: withOutdated(withWorth(complete, statements), known.outdated),
    ...(gate.decision === 'full' ? {} : { reach: REACHES[gate.decision], gate }),
    recentTurns: settings.recentTurns,
    maxTokens,
    tokenizer: await countedAhead(tokenizer, input.toWellFormed()),
  };
}

/** What a request takes of a session that the page sends itself. */
const NO_STATE: Awaited<ReturnType<typeof readState>> = { summary: undefined, messages: [] };

/** Returns a function that says whether a conversation contains all of some texts, however their lines are broken. */
function saidIn(conversation: readonly ChatMessage[]): (texts: readonly string[]) => boolean {
  const said = conversation.map((message) => onOneLine(messageText(message))).join('\n');
  return (texts) => texts.every((text) => said.includes(onOneLine(text)));
}

function onOneLine(text: string): string {
  return text.replaceAll(/\s+/gu, ' ').trim();
}

function summaryNote({ text, sessionId, updatedAt }: SummaryRecord): ContextNote {
  return { text, origin: 'conversation', sources: [], sessionId, createdAt: updatedAt, score: 0, why: {} };
}
