import { readText } from '../language/read-text.ts';
import { truthOf } from '../learning/claims/truth-of.ts';
import { checkReplaces, checkSignal, checkText, checkSessionId, checkTurnId } from '../model/call-options.ts';
import {
  checkOptions,
  wholeNumber,
  anything,
  argument,
  checkBoolean,
  checkFunction,
  checkShare,
  checkString,
  type OptionChecks,
} from '../model/check-options.ts';
import { requireTime } from '../model/clock.ts';
import { runInSlices, yieldToEventLoop } from '../model/event-loop.ts';
import { withoutEndedClaims } from '../learning/summary/claim-bullets.ts';
import { messageText, parseMessages, type ChatMessage } from '../model/message.ts';
import type { SummaryRecord } from '../storage/schema.ts';
import { countedAhead } from '../tokens/count-in-slices.ts';
import { inOrderOf, loadTurns, rankMessages, timedQuestion } from './ask-question.ts';
import { askedMatters } from './asked-matters.ts';
import { withAskedPassages } from './gate/asked-passages.ts';
import { judgeQuestion } from './gate/judge-question.ts';
import { LITTLE, quietFor } from './gate/score-question.ts';
import { assembleContext, type AssembleInput } from './layout/assemble-context.ts';
import { duplicateKey } from './index/indexed-text.ts';
import type { IndexedMessage } from './index/scope-index.ts';
import type { ContextNote, RecalledContext } from './layout/context-item.ts';
import { turnIdOf, type CountedTurn } from './layout/context-layout.ts';
import { explainContext, type ContextCandidate } from './layout/explain-context.ts';
import { fenceMarks } from './layout/fence-marks.ts';
import { withPassages } from './layout/best-passages.ts';
import { isQuotable, quoteTurn } from './layout/fence.ts';
import { profileBudget, profileNotes } from './profile/profile.ts';
import { withLinkedHits } from './rank/linked-hits.ts';
import { readKnown } from './read-known.ts';
import { withoutReactions } from './reactions.ts';
import { readState, sendsUncovered } from './read-state.ts';
import type { RecallParts } from './recall-parts.ts';
import type { Rerank } from './rerank.ts';
import { readTold } from './told-claims.ts';
import {
  statedAmong,
  statedBySuccessors,
  statedElsewhere,
  statedIn,
  withOutdated,
  withWorth,
} from './stated-turns.ts';

export interface RecallOptions {
  /** The host page's system text. @default none */
  system?: string;
  /** Maximum tokens of the whole request. @default `maxTokens` of `createMemory` */
  maxTokens?: number;
  /** @default the session of this memory */
  sessionId?: string;
  /** Returns the context as it was known at this time, in milliseconds since 1970. @default now */
  knownAt?: number;
  /**
   * Conversation before the input, oldest first, for a page that sends it itself. The context then contains neither
   * recent turns nor a summary of the session, and nothing that the conversation already contains. @default none
   */
  conversation?: readonly ChatMessage[];
  /**
   * Whether the summary of the session is sent although there is a `conversation`, because the conversation is only the end
   * of it. @default false
   */
  summary?: boolean;
  /**
   * Id of the turn that the answer will complete. The marks around recalled text are then unique to this turn, and
   * turns that it replaces are left out.
   * @default none: the same question has the same marks
   */
  turnId?: string;
  /**
   * Ids of turns that are left out, because the answer will replace them, for a turn that is not stored with `replaces`.
   *
   * @default none
   */
  replaces?: string | readonly string[];
  /**
   * Minimum confidence that memory is relevant to the input before facts and old turns are sent, from 0 (always sent)
   * to 1. If the gate is unsure, a few are sent.
   * @default 0.5
   */
  minRelevance?: number;
  /**
   * Orders the best 50 messages that search finds by the caller's own scores, with the whole input as query. Whether memory
   * is relevant at all is decided as without it. If it fails, as described for `search`, the order stays.
   * @default none
   */
  rerank?: Rerank;
  signal?: AbortSignal;
}

/** A call of `recall` or `explain`. */
export interface RecallCall {
  readonly input: string;
  readonly options: RecallOptions;
  /** Session to use if the options name none. */
  readonly sessionId: string;
}

/** Maximum number of turns that are considered for the fence; the budget keeps far fewer. */
const FOUND_TURNS = 32;

/** Limits when the gate is `quiet` or `little`. */
const REACHES = {
  quiet: { maxTurns: 0, maxTokens: 0 },
  little: { maxTurns: LITTLE.turns, maxTokens: LITTLE.tokens },
} as const;

export async function recallContext(parts: RecallParts, call: RecallCall): Promise<RecalledContext> {
  const given = await gather(parts, 'recall', call);
  await yieldToEventLoop(); // of several concurrent requests, each is laid out in a task of its own
  const context = await runInSlices(assembleContext(given), call.options.signal);
  if (context.overBudget) {
    const message = `The system text and the input alone need ${context.tokens} tokens; ${given.maxTokens} were allowed. They are sent without memory.`;
    parts.events.warn({ code: 'over-budget', message });
  } else if (given.areUncovered && leavesOutTurns(given, context)) {
    const message =
      'Some recent turns did not fit and are not summarized yet; only what the user stated in them was sent.';
    parts.events.warn({ code: 'summary-behind', message });
  }
  if (!context.overBudget && leavesOutBest(given, context)) {
    const message = `The best match for the question does not fit a request of ${given.maxTokens} tokens and is not sent, not even by its best passage. Allow more tokens.`;
    parts.events.warn({ code: 'best-match-left-out', message });
  }
  const pinned = context.items.filter(({ kind }) => kind === 'pinned').length;
  if (!context.overBudget && pinned < given.pinned.length) {
    const message = `${given.pinned.length - pinned} of ${given.pinned.length} pinned facts do not fit a request of ${given.maxTokens} tokens and are not sent. Allow more tokens, or unpin facts.`;
    parts.events.warn({ code: 'pinned-left-out', message });
  }
  const { sessionId = call.sessionId, turnId } = call.options;
  parts.events.emit('recall', {
    ...{ sessionId, question: call.input, context },
    ...(turnId === undefined ? {} : { turnId }),
  });
  return context;
}

function leavesOutTurns({ turns }: AssembleInput, { items }: RecalledContext): boolean {
  const sent = new Set(items.map((item) => item.turnId));
  return turns.some((turn) => !sent.has(turnIdOf(turn)) && turn.messages.some(isQuotable));
}

/** Whether nothing is sent of the turn that search found best, though the gate lets it pass and nothing repeats it. */
function leavesOutBest({ found, turns, reach }: AssembleInput, { items }: RecalledContext): boolean {
  const [best] = found.toSorted((a, b) => b.score - a.score);
  if (!best || reach) return false;
  if ([...(best.passages?.values() ?? [])].some((spans) => spans.length === 0)) return true;
  const sent = new Set(items.flatMap(({ sources }) => sources));
  const words = duplicateKey(best.messages);
  return ![...turns, ...found].some(
    ({ messages }) =>
      messages.some(({ id }) => sent.has(id)) &&
      (messages === best.messages || duplicateKey(messages) === words),
  );
}

/** Returns every candidate that `recallContext` considers, whether included or not. */
export async function explainRecall(parts: RecallParts, call: RecallCall): Promise<ContextCandidate[]> {
  const given = await gather(parts, 'explain', call);
  // Excluded candidates are quoted as well.
  let { tokenizer } = given;
  for (const turn of given.found) {
    const messages = turn.messages.filter(isQuotable);
    tokenizer = await countedAhead(tokenizer, quoteTurn({ ...turn, messages }));
  }
  return runInSlices(explainContext({ ...given, tokenizer }), call.options.signal);
}

const checksOf = (method: string): OptionChecks<RecallOptions> => ({
  system: argument(checkString, 'The system text'),
  maxTokens: wholeNumber(1),
  sessionId: checkSessionId,
  knownAt: (name, value) => requireTime(value, name),
  conversation: anything, // parsed
  summary: checkBoolean,
  turnId: checkTurnId,
  replaces: checkReplaces,
  minRelevance: checkShare,
  rerank: argument(checkFunction),
  signal: checkSignal(method),
});

async function gather(parts: RecallParts, method: string, call: RecallCall): Promise<AssembleInput> {
  const { input, options } = call;
  checkOptions(method, options, checksOf(method));
  checkText('The input', input);
  const { settings, stores, index } = parts;
  const { system = '', maxTokens = settings.maxTokens, sessionId = call.sessionId } = options;
  const { knownAt, turnId, minRelevance = 0.5, rerank, signal } = options;
  signal?.throwIfAborted();
  const isSaid = options.conversation && saidIn(parseMessages(options.conversation));
  const when = knownAt === undefined ? {} : { knownAt };
  const read = readText(input);
  const asked = timedQuestion(parts, read);
  // The first question of a page does not wait for the vocabulary: until it is there, counts are an upper bound.
  const tokenizer = parts.tokenizer.atOnce();
  const [secret, vector, state, known, replaced] = await Promise.all([
    stores.transcript.secret(),
    input.trim() === '' ? undefined : parts.embedQuery(input, signal),
    isSaid && options.summary !== true
      ? NO_STATE
      : readState(parts, sessionId, { maxTokens, ...when, ...(signal ? { signal } : {}) }),
    parts.catchUp(
      (rows) => runInSlices(readKnown(parts, rows, truthOf(rows, when), asked, when), signal),
      signal,
    ),
    replacedBy(parts, options, signal),
  ]);
  // A turn is known as a whole, once it has ended. A regenerated answer must not see the old one.
  const isKnownTurn = ({ messages }: Pick<CountedTurn, 'messages'>): boolean =>
    messages.every(({ createdAt, id }) => createdAt <= (knownAt ?? Infinity) && !replaced.has(id));
  const profileTokens = profileBudget(parts, maxTokens);
  const recent = isSaid ? [] : state.messages;
  const turns = (await parts.tokenCounts.countTurns(tokenizer, recent)).filter(isKnownTurn);
  // Search also finds turns in the window; they are left out once the window is known.
  const limit = FOUND_TURNS + Math.min(turns.length, FOUND_TURNS);
  const ranked = { question: asked.question, vector, known: known.query };
  const direct = await rankMessages(parts, ranked, knownAt === undefined ? {} : { to: knownAt }, signal);
  const ranking = await parts.graph.lookAgain(
    ({ claimLists }) => withLinkedHits(direct, { claims: claimLists, messages: index }, read.askedTerms),
    signal,
  );
  const turnsRead = (await loadTurns(parts, ranking, { limit, notFound: known.worthiest }, signal)).filter(
    (turn) => isKnownTurn(turn) && !isSaid?.(turn.messages.filter(isQuotable).map(messageText)),
  );
  const tellable = turnsRead.filter(({ isNotFound }) => isNotFound !== true);
  const notFound = turnsRead.filter(({ isNotFound }) => isNotFound === true);
  const hits = rerank
    ? await (await import('./rerank.ts')).rerankHits(parts, input, ranking, tellable, rerank, signal)
    : ranking;
  const loaded = rerank ? inOrderOf(parts, tellable, hits) : tellable;
  const { terms, places } = known.asked;
  const complete = await runInSlices(withAskedPassages(loaded, terms, places.rarity), signal);
  const idsOf = (all: readonly Pick<CountedTurn, 'messages'>[]): string[] =>
    all.flatMap(({ messages }) => messages.map(({ id }) => id));
  const ids = new Set(idsOf([...complete, ...turns]));
  const notFoundIds = idsOf(notFound);
  const placeOf = (id: string): IndexedMessage | undefined => index.get(id);
  const { claims, outdated, summary } = await parts.graph.lookAgain(async (rows) => {
    const truth = truthOf(rows, when);
    const isTellable = (id: string): boolean => placeOf(id) !== undefined;
    const told = await runInSlices(readTold(rows, truth, { ids, notFoundIds, isTellable }), signal);
    const ended = withoutEndedClaims(state.summary?.text ?? '', {
      saying: (text) => rows.claimIndex.saying(text),
      overIn: (claim) => truth.overIn(claim),
    });
    return { ...told, summary: await runInSlices(ended, signal) };
  }, signal);
  const isFromOthers = ({ sources }: ContextNote): boolean =>
    sources.length === 0 || !sources.every((id) => replaced.has(id));
  const isNew = (note: ContextNote): boolean =>
    isFromOthers(note) && !isSaid?.(note.claims ? note.claims.map((each) => each.text) : [note.text]);
  const profile = profileNotes(known.profile, tokenizer, profileTokens, knownAt ?? asked.now);
  await yieldToEventLoop();
  const gate =
    quietFor(read.intent) ??
    (await judgeQuestion({
      question: read,
      asked: known.asked,
      found: complete,
      claims,
      minRelevance,
      userName: settings.userName,
    }));
  await yieldToEventLoop();
  const reach = gate.decision === 'full' ? undefined : REACHES[gate.decision];
  // Where no turn may be sent, only `explain` names them.
  const quotable = reach?.maxTurns === 0 && method === 'recall' ? [] : complete;
  // When an unsure gate limits the tokens, one passage may take most of them.
  const tokens = Math.min(maxTokens, reach?.maxTurns ? 2 * reach.maxTokens : maxTokens);
  const words = read.askedTerms;
  const others = gate.decision === 'full' ? notFound : [];
  const passed = await withPassages([...withoutReactions(quotable, hits, words), ...others], words, tokens);
  const matters = askedMatters(read.asked);
  const worthy = withWorth(passed, claims, words, gate.decision === 'full', matters);
  const replacing = statedBySuccessors(worthy, outdated, claims, placeOf);
  // Each scope has its own sessions, and so its own marks.
  const session = JSON.stringify([settings.scope, sessionId]);
  const marks = fenceMarks(secret, session, turnId === undefined ? { text: input } : { turnId });
  return {
    system: system.toWellFormed(),
    input: input.toWellFormed(),
    mark: marks.session,
    inputMark: marks.question,
    pinned: known.pinned,
    profile: profile.filter(isNew),
    profileTokens,
    facts: known.facts.filter(isFromOthers),
    ...(state.summary && summary ? { summary: summaryNote({ ...state.summary, text: summary }) } : {}),
    turns,
    areUncovered: sendsUncovered(parts),
    stated: [
      ...statedIn(hits, claims, complete, outdated, words, settings.userName, matters),
      ...replacing,
      ...(gate.decision === 'quiet' ? [] : statedElsewhere(claims, complete, placeOf, replacing, matters)),
    ].filter(isNew),
    gapNotes: (left) => statedAmong(claims, left),
    found: withOutdated(worthy, outdated, claims),
    ...(reach ? { reach, gate } : {}),
    recentTurns: settings.recentTurns,
    maxTokens,
    tokenizer: await countedAhead(tokenizer, input.toWellFormed()),
  };
}

const NOTHING: ReadonlySet<string> = new Set();

/** Returns the ids of the messages in the turns that the answer will replace. */
async function replacedBy(
  { stores: { transcript }, settings: { scope } }: RecallParts,
  { turnId, replaces = [] }: Pick<RecallOptions, 'turnId' | 'replaces'>,
  signal: AbortSignal | undefined,
): Promise<ReadonlySet<string>> {
  const [turn = []] = turnId === undefined ? [] : await transcript.loadTurns(scope, [turnId], signal);
  const turnIds = [...[replaces].flat(), ...turn.flatMap((message) => message.replaces ?? [])];
  if (turnIds.length === 0) return NOTHING;
  return new Set((await transcript.loadTurns(scope, turnIds, signal)).flat().map(({ id }) => id));
}

/** State of a session whose conversation the page sends itself. */
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
