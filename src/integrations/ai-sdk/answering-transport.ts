import { generateId, type ChatTransport, type UIMessage, type UIMessageChunk } from 'ai';
import { MnemoraError, type Memory } from '../../index.ts';
import { listVisibleTurns, putUITurn } from './chats/chat-turns.ts';
import { isDeleted } from './chats/deleted-chats.ts';
import { latestTurns } from './latest-turns.ts';
import { setBounded, shownOnPage } from './chats/shown-messages.ts';
import { fromUIMessages, validUIMessages } from './chats/given-ui-messages.ts';
import { NOT_SAVED, PATIENCE_MS, unlessLate } from './patience.ts';
import { perMemory } from './per-memory.ts';
import { observedAnswer, type AnswerObserver } from './observed-answer.ts';
import { recallOptions, SKIPPED, type RecallLimits } from './recall-limits.ts';
import { conversationOf, textOf } from './prompt-messages.ts';
import { readToEnd } from './read-to-end.ts';
import { answerElsewhere, TurnInProgress, type EndOptions, type TurnEnd } from './turn-in-progress.ts';
import { recalledFrom } from './with-recalled.ts';

type Send<Message extends UIMessage> = Parameters<ChatTransport<Message>['sendMessages']>[0];

interface OpenTurn {
  readonly turn: TurnInProgress;
  /** Fenced text that is put before the question. */
  readonly fence: string;
  /** Returns the turns that this one replaces. Undefined if that was known before the question was answered. */
  readonly placedLate: (() => Promise<readonly string[]>) | undefined;
}

/** Time in milliseconds after which more of an answer that is still arriving is stored. */
const KEEP_PART_MS = 2000;

/**
 * Returns the turns of a memory that wait for the page, by chat and user message. Of all transports, because a component
 * that is mounted again may make another one.
 */
const waitingIn = perMemory(() => new Map<string, OpenTurn>());

const UNCHECKED = {
  code: 'memory-skipped',
  message: 'The question was sent although it is not known whether its chat was deleted.',
} as const;

/** Returned in place of a fence for a chat that was deleted. */
const DELETED = Symbol('deleted');

/** Recalls for each question, sends it by another transport, and stores what the page shows of the answer. */
export class AnsweringTransport<Message extends UIMessage> {
  readonly #memory: Memory;
  readonly #options: RecallLimits & { generateMessageId?: () => string };
  readonly #transport: ChatTransport<Message>;
  readonly #timeoutMs: number;
  readonly #waiting: Map<string, OpenTurn>;

  constructor(
    memory: Memory,
    transport: ChatTransport<Message>,
    options: RecallLimits & { generateMessageId?: () => string },
  ) {
    this.#memory = memory;
    this.#transport = transport;
    this.#options = options;
    this.#timeoutMs = options.timeoutMs ?? PATIENCE_MS;
    this.#waiting = waitingIn(memory);
  }

  async sendMessages(send: Send<Message>): Promise<ReadableStream<UIMessageChunk>> {
    const messages = await validUIMessages(send.messages);
    shownOnPage.add(send.chatId, messages);
    const continued = continuedIn(messages, send);
    const start = messages.findLastIndex(
      ({ role }, index) => role === 'user' && (continued < 0 || index < continued),
    );
    const asked = messages[start];
    if (!asked) return this.#answer(send, messages);
    const key = keyOf(send.chatId, asked);
    const known = continued >= 0 ? this.#waiting.get(key) : undefined;
    const leftEnded = this.#endLeft(send.chatId, messages, start);
    this.#waiting.delete(key);
    // A question that is stored is checked once it is.
    const isUnchecked = known !== undefined || this.#options.remember === false;
    // At the same time: a memory that hangs delays the question once.
    const [{ turn, fence, placedLate }] = await Promise.all([
      known ?? this.#begin(send, messages, start, continued),
      isUnchecked ? this.#refuseDeleted(send.chatId, known) : undefined,
      leftEnded,
    ]);
    const fenced =
      fence === '' ? asked : { ...asked, parts: [{ type: 'text', text: fence }, ...asked.parts] };
    const isAnswered = answerElsewhere(textOf(fenced.parts));
    const shownBefore = messages.slice(start, continued < 0 ? undefined : continued + 1);
    const keepPart = this.#partKeeper(send.chatId, turn);
    const end = (shown: readonly UIMessage[], state: TurnEnd, answerId?: string): Promise<void> =>
      this.#end(send.chatId, turn, shown, state, { answerId, replaces: placedLate, kept: keepPart.done });
    // An answer that failed or was stopped before its first word shows nothing.
    const shownWith = (answer: UIMessage): UIMessage[] => [
      ...shownBefore.filter(({ id }) => id !== answer.id),
      ...(answer.parts.length > 0 ? [answer] : []),
    ];
    const ended = async (answer: UIMessage, given: TurnEnd): Promise<void> => {
      shownOnPage.add(send.chatId, [answer]);
      // Otherwise, the question would count as answered.
      const state = given === 'complete' && isEmpty(answer) ? 'failed' : given;
      isAnswered();
      const shown = shownWith(answer);
      if (state === 'complete' && waitsForPage(answer)) {
        setBounded(this.#waiting, key, { turn, fence, placedLate });
        await this.#keep(send.chatId, turn, shown, keepPart.done);
        return;
      }
      await end(shown, state, answer.id);
    };
    try {
      const latest = latestTurns(messages, start, this.#options.history).messages;
      const sent = latest.map((message) => (message === asked ? fenced : message));
      return await this.#answer(send, sent, {
        id: this.#options.generateMessageId?.() ?? generateId(),
        before: messages[continued],
        metadata: turn.sources.length > 0 ? { mnemora: { sources: turn.sources } } : undefined,
        isStopped: () => send.abortSignal?.aborted === true,
        grown: (answer) => keepPart.grown(shownWith(answer)),
        ended,
      });
    } catch (error) {
      isAnswered();
      await end(shownBefore, send.abortSignal?.aborted ? 'cancelled' : 'failed');
      throw error;
    }
  }

  async #answer(
    send: Send<Message>,
    messages: Message[],
    observer?: AnswerObserver,
  ): Promise<ReadableStream<UIMessageChunk>> {
    const left = new AbortController();
    const abortSignal = send.abortSignal ? AbortSignal.any([send.abortSignal, left.signal]) : left.signal;
    const answered = await this.#transport.sendMessages({ ...send, messages, abortSignal });
    const stream = observer ? observedAnswer(answered, observer) : answered;
    return readToEnd(stream, abortSignal, (reason) => left.abort(reason));
  }

  /**
   * Stores the question and recalls for it, unless that takes too long.
   *
   * @throws MnemoraError `not-found` if the chat was deleted: its words must not be sent again
   */
  async #begin(
    send: Send<Message>,
    messages: readonly Message[],
    start: number,
    continued: number,
  ): Promise<OpenTurn> {
    const { chatId } = send;
    const [asked] = messages.slice(start, start + 1);
    const timeoutMs = this.#timeoutMs;
    const { history, prompt, remember: isStored = true } = this.#options;
    const turnWith = (turnId: string): TurnInProgress =>
      new TurnInProgress(this.#memory, { sessionId: chatId, turnId, timeoutMs, isStored });
    let turn = turnWith(generateId());
    let isPlaced = false;
    const begun = await unlessLate(this.#memory, timeoutMs, SKIPPED, async (signal) => {
      if (isStored) {
        const question = await fromUIMessages(asked ? [asked] : []);
        const { turnId, replaces } = await this.#place(send, messages, start, continued, signal);
        isPlaced = true;
        if (turnId !== undefined) turn = turnWith(turnId);
        const receipt = await turn.begin(question, replaces, signal);
        // Checked after the question was stored, so that a deletion in between is not missed.
        if (await isDeleted(this.#memory, chatId, turn.turnId, signal)) return DELETED;
        const shown = messages.slice(start, continued < 0 ? undefined : continued + 1);
        // What the page shows is stored again with the answer; memory does not depend on it.
        if (receipt) await putUITurn(this.#memory, chatId, receipt, shown).catch(() => undefined);
      }
      const replaces = isStored ? [] : (await this.#place(send, messages, start, continued, signal)).replaces;
      const input = textOf(asked?.parts ?? []);
      const sent = latestTurns(messages, start, history);
      const conversation = conversationOf(await fromUIMessages(sent.messages.slice(sent.first, sent.asked)));
      const options = { ...recallOptions(this.#options), conversation, summary: sent.isCut, replaces };
      const recalled = await turn.recall(input, options, send.abortSignal, signal, (context) =>
        recalledFrom(context, input, 'v4', prompt),
      );
      return recalled?.fenced ? `${recalled.notice}\n\n${recalled.fenced}`.trim() : '';
    });
    const placeLate = async (): Promise<string[]> => {
      const { turnId, replaces } = await this.#place(send, messages, start, continued);
      return turnId === undefined ? replaces : [turnId];
    };
    if (begun !== DELETED) return { turn, fence: begun ?? '', placedLate: isPlaced ? undefined : placeLate };
    await this.#memory.forget({ turnId: turn.turnId });
    throw wasDeleted(chatId);
  }

  /** @throws MnemoraError `not-found` if the chat was deleted */
  async #refuseDeleted(chatId: string, known: OpenTurn | undefined): Promise<void> {
    const turnId = known?.turn.turnId ?? '';
    const check = (signal: AbortSignal): Promise<boolean> => isDeleted(this.#memory, chatId, turnId, signal);
    if (await unlessLate(this.#memory, this.#timeoutMs, UNCHECKED, check)) throw wasDeleted(chatId);
  }

  /**
   * Returns the stored turn that a request continues, or those that it replaces: the turn whose question was edited or
   * whose answer is regenerated, and all later ones that this page has shown.
   */
  async #place(
    { chatId, trigger, messageId }: Send<Message>,
    messages: readonly Message[],
    start: number,
    continued: number,
    signal?: AbortSignal,
  ): Promise<{ turnId?: string; replaces: string[] }> {
    const isContinued = continued >= 0;
    if (!isContinued && trigger === 'submit-message' && messageId === undefined) return { replaces: [] };
    const turns = await listVisibleTurns(this.#memory, chatId, signal ? { signal } : {});
    const place = turns.findLastIndex(({ shown }) => shown[0]?.id === messages[start]?.id);
    const found = turns[place];
    if (!found) return { replaces: [] };
    const { turnId, isPending } = found;
    if (isContinued && isPending && trigger === 'submit-message') return { turnId, replaces: [] };
    const kept = new Set(messages.filter((_, index) => index !== start).map(({ id }) => id));
    const later = turns
      .slice(place + 1)
      .filter(({ shown }) => shownOnPage.hasAny(chatId, shown) && !shown.some(({ id }) => kept.has(id)));
    return { replaces: [turnId, ...later.map((turn) => turn.turnId)] };
  }

  /** Stores what the page shows of an answer that is still arriving, so that a page that is closed loses little of it. */
  #partKeeper(
    chatId: string,
    turn: TurnInProgress,
  ): { grown: (shown: readonly UIMessage[]) => void; done: () => Promise<void> } {
    let keptAt = Date.now();
    let keeping: Promise<void> | undefined;
    const keep = async (shown: readonly UIMessage[]): Promise<void> => {
      try {
        if (turn.question) await putUITurn(this.#memory, chatId, turn.question, shown);
      } catch {
        // The turn was forgotten; or its end cannot be stored either, which raises a warning.
      }
      keeping = undefined;
    };
    return {
      grown: (shown) => {
        if (keeping || Date.now() - keptAt < KEEP_PART_MS) return;
        keptAt = Date.now();
        keeping = keep(shown);
      },
      done: async () => keeping,
    };
  }

  /** Ends the turns that waited for the page, which has asked something else since. */
  async #endLeft(chatId: string, messages: readonly Message[], start: number): Promise<void> {
    for (const [first, message] of messages.slice(0, start).entries()) {
      const key = keyOf(chatId, message);
      const left = this.#waiting.get(key);
      if (!left) continue;
      this.#waiting.delete(key);
      const shown = messages.slice(
        first,
        messages.findIndex(({ role }, index) => index > first && role === 'user'),
      );
      const { turn, placedLate: replaces } = left;
      await this.#end(chatId, turn, shown, 'complete', { answerId: shown.at(-1)?.id, replaces });
    }
  }

  /** Stores a turn as the page shows it. */
  async #end(
    chatId: string,
    turn: TurnInProgress,
    shown: readonly UIMessage[],
    state: TurnEnd,
    { answerId, replaces, kept }: Pick<EndOptions, 'answerId' | 'replaces'> & { kept?: () => Promise<void> },
  ): Promise<void> {
    // A file of which the SDK cannot read the address, for example, must not fail the chat.
    const messages = await unlessLate(this.#memory, this.#timeoutMs, NOT_SAVED, () => fromUIMessages(shown));
    await turn.end(messages ?? [], state, {
      answerId,
      replaces,
      afterwards: async (receipt) => {
        await kept?.(); // otherwise, a part could be stored after the whole
        await putUITurn(this.#memory, chatId, receipt, shown);
      },
    });
  }

  /** Stores the messages that the page shows of an unfinished turn. */
  async #keep(
    chatId: string,
    { turnId, isStored }: TurnInProgress,
    shown: readonly UIMessage[],
    kept: () => Promise<void>,
  ): Promise<void> {
    if (!isStored) return;
    await unlessLate(this.#memory, this.#timeoutMs, NOT_SAVED, async (signal) => {
      await kept();
      const turns = await listVisibleTurns(this.#memory, chatId, { signal });
      const stored = turns.find((turn) => turn.turnId === turnId);
      if (stored) await putUITurn(this.#memory, chatId, stored, shown); // otherwise, it was forgotten
    });
  }
}

function wasDeleted(chatId: string): MnemoraError {
  return new MnemoraError(
    'not-found',
    `The chat "${chatId}" was deleted. Nothing was sent or stored. Start a new chat.`,
  );
}

/** Identifies a turn that waits by its chat and user message. */
function keyOf(chatId: string, { id }: UIMessage): string {
  return JSON.stringify([chatId, id]);
}

/**
 * Returns the index of the answer that a request continues, or -1: the last message, or an earlier one of which the user
 * has just approved a tool call.
 */
function continuedIn<Message extends UIMessage>(
  messages: readonly Message[],
  { trigger, messageId }: Pick<Send<Message>, 'trigger' | 'messageId'>,
): number {
  const named = messages.findIndex(({ id, role }) => id === messageId && role === 'assistant');
  if (trigger === 'submit-message' && named >= 0) return named;
  return messages.at(-1)?.role === 'assistant' ? messages.length - 1 : -1;
}

/** Whether an answer has no content: thoughts alone answer nothing. */
function isEmpty({ parts }: UIMessage): boolean {
  return parts.every(
    (part) =>
      part.type === 'step-start' ||
      part.type === 'reasoning' ||
      (part.type === 'text' && part.text.trim() === ''),
  );
}

/** Whether the last step has called a tool of the page, or asks for an approval. */
function waitsForPage({ parts }: UIMessage): boolean {
  const lastStep = parts.slice(parts.findLastIndex(({ type }) => type === 'step-start') + 1);
  return lastStep.some(
    (part) =>
      'state' in part &&
      (part.state === 'approval-requested' ||
        (part.state === 'input-available' && !('providerExecuted' in part && part.providerExecuted))),
  );
}
