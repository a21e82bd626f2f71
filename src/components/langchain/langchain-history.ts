import { parseArguments } from '../../llm/message-parts.ts';
import { checkFunction, checkOptions, objectWith } from '../../model/check-options.ts';
import { MnemoraError } from '../../model/error.ts';
import {
  parseMessages,
  sameMessage,
  toChatMessage,
  type ChatMessage,
  type ContentPart,
  type ToolCall,
} from '../../model/message.ts';
import { inTurnOrder } from '../../model/turn.ts';
import { warningListener, type WarningListener } from '../../model/warning.ts';
import type { ChatMessageHistory } from '../../sessions/chat-message-history.ts';

export interface LangChainHistoryOptions {
  /** Called with `save-failed` for messages that could not be stored. @default the next `getMessages` rejects */
  onWarning?: WarningListener;
}

/**
 * Returns a chat history for LangChain's own classes, such as `BufferMemory` and `RunnableWithMessageHistory`.
 *
 * Human, AI, system and tool messages are stored with content parts, names and tool calls. Usage, response metadata,
 * additional kwargs, the provider's ids, the status and artifact of a tool result and the name of a system message are not stored; several texts
 * of a system or tool message are joined. If a message cannot be stored, the whole list is rejected with
 * `invalid-message`.
 *
 * If `addMessages` fails, `RunnableWithMessageHistory` only logs the error: the answer is returned and the turn is
 * lost. Therefore `onWarning` is called; without it, the next `getMessages` of the history rejects once with that
 * error. If a session may have several calls at the same time, set `historyMessagesKey`: without it, LangChain detects
 * new messages by the length of the history, and loses some if the history has grown in the meantime.
 *
 * @param history a chat history of `openDatabase`, or one in memory
 * @param coerceMessageLikeToMessage LangChain's own function, from `@langchain/core/messages`
 * @throws MnemoraError `invalid-option`
 * @example
 * import { coerceMessageLikeToMessage } from '@langchain/core/messages';
 *
 * const chatHistory = langChainHistory(database.chatHistory('today'), coerceMessageLikeToMessage);
 * const memory = new BufferMemory({ chatHistory });
 */
export function langChainHistory<Message>(
  history: ChatMessageHistory,
  coerceMessageLikeToMessage: CoerceMessage<Message>,
  options: LangChainHistoryOptions = {},
): LangChainHistory<Message> {
  return new LangChainHistory(history, coerceMessageLikeToMessage, options);
}

/** LangChain's `BaseChatMessageHistory` for messages of the class `Message`. */
export class LangChainHistory<Message> {
  readonly #history: ChatMessageHistory;
  readonly #coerce: CoerceMessage<Message>;
  readonly #onWarning: WarningListener | undefined;
  /** Messages that this object has loaded or stored, by LangChain's id. */
  readonly #known = new Map<string, ChatMessage>();

  // LangChain's `BaseChatMessageHistory` is `Serializable`, but the content of a database cannot be serialized.
  readonly lc_serializable: boolean = false;
  readonly lc_namespace: string[] = ['mnemora', 'langchain'];
  readonly lc_id: string[] = [...this.lc_namespace, 'LangChainHistory'];
  readonly lc_kwargs: Record<string, unknown> = {};
  readonly lc_secrets: undefined;
  readonly lc_attributes: undefined;
  readonly lc_aliases: undefined;
  readonly lc_serializable_keys: undefined;

  constructor(history: ChatMessageHistory, coerce: CoerceMessage<Message>, options: LangChainHistoryOptions) {
    this.#history = objectWith<ChatMessageHistory>(
      'addMessages',
      'list',
      'clear',
    )('The chat history', history);
    checkFunction("LangChain's coerceMessageLikeToMessage", coerce);
    checkOptions('langChainHistory', options, { onWarning: checkFunction });
    this.#coerce = coerce;
    this.#onWarning = options.onWarning && warningListener(options.onWarning);
  }

  /** Returns the messages of complete turns, oldest first, with their stored ids. */
  async getMessages(): Promise<Message[]> {
    throwUnreported(this.#history);
    const stored = await this.#history.list();
    const complete = inTurnOrder(stored.filter((message) => message.state === 'complete'));
    for (const message of complete) this.#known.set(message.id, message);
    return langChainMessages(complete, this.#coerce);
  }

  /**
   * Appends messages in one transaction, all or none. A message that this object has loaded or added before, with the same
   * id and content, is not added again.
   *
   * @throws MnemoraError `invalid-message`
   */
  async addMessages(messages: readonly Message[]): Promise<void> {
    try {
      await this.#append(messages);
    } catch (cause) {
      if (!this.#onWarning) UNREPORTED.set(this.#history, cause);
      const message = `The messages were not stored. ${reasonOf(cause)}`;
      this.#onWarning?.({ code: 'save-failed', message, cause });
      throw cause;
    }
  }

  addMessage(message: Message): Promise<void> {
    return this.addMessages([message]);
  }

  addUserMessage(text: string): Promise<void> {
    return this.#history.addUserMessage(text);
  }

  addAIMessage(text: string): Promise<void> {
    return this.#history.addAIMessage(text);
  }

  addAIChatMessage(text: string): Promise<void> {
    return this.addAIMessage(text);
  }

  /** Deletes all messages of the history. */
  async clear(): Promise<void> {
    await this.#history.clear();
    UNREPORTED.delete(this.#history);
    this.#known.clear();
  }

  toJSON(): { lc: number; type: 'not_implemented'; id: string[] } {
    return { lc: 1, type: 'not_implemented', id: this.lc_id };
  }

  toJSONNotImplemented(): { lc: number; type: 'not_implemented'; id: string[] } {
    return this.toJSON();
  }

  async #append(messages: readonly Message[]): Promise<void> {
    const parsed = parseMessages(messages);
    const added = new Map<string, ChatMessage>();
    const fresh = parsed.filter((message, index) => {
      const id = idOf(messages[index]);
      if (id === undefined) return true;
      if (this.#saysTheSame(added.get(id) ?? this.#known.get(id), message)) return false;
      added.set(id, message);
      return true;
    });
    await this.#history.addMessages(fresh);
    for (const [id, message] of added) this.#known.set(id, message);
  }

  /** Compares two messages in LangChain's form, because the arguments of a tool call may be formatted differently. */
  #saysTheSame(known: ChatMessage | undefined, message: ChatMessage): boolean {
    if (!known) return false;
    const [shown] = parseMessages(langChainMessages([known], this.#coerce));
    return shown !== undefined && sameMessage(shown, message);
  }
}

/**
 * Failures that have not been reported yet. The map keeps the history alive until then, because the database creates a new
 * one for a session once its history has been garbage-collected.
 */
const UNREPORTED = new Map<ChatMessageHistory, unknown>();

function throwUnreported(history: ChatMessageHistory): void {
  if (!UNREPORTED.has(history)) return;
  const cause = UNREPORTED.get(history);
  UNREPORTED.delete(history);
  const code = cause instanceof MnemoraError ? cause.code : 'storage-failed';
  throw new MnemoraError(code, `The last messages of this history were not stored. ${reasonOf(cause)}`, {
    cause,
  });
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

function idOf(message: unknown): string | undefined {
  const { id } = Object(message) as { id?: unknown };
  return typeof id === 'string' ? id : undefined;
}

/** The fields of a message for LangChain's `coerceMessageLikeToMessage`. */
export interface LangChainMessageFields {
  role: string;
  content: string | ContentPart[];
  [field: string]: unknown;
}

/** LangChain's `coerceMessageLikeToMessage`, which returns a message of the class for these fields. */
export type CoerceMessage<Message> = (fields: LangChainMessageFields) => Message;

/**
 * Converts messages, such as those of `recall`, to objects of LangChain's classes for its models and chains.
 *
 * A stored message keeps its id. A tool result gets the name of the tool. A tool call whose arguments are not a JSON object
 * is put into `invalid_tool_calls`.
 *
 * @param coerceMessageLikeToMessage LangChain's own function, from `@langchain/core/messages`
 * @example
 * const { messages } = await memory.recall('Where do I live?');
 * await model.invoke(langChainMessages(messages, coerceMessageLikeToMessage));
 */
export function langChainMessages<Message>(
  messages: readonly (ChatMessage & { id?: string })[],
  coerceMessageLikeToMessage: CoerceMessage<Message>,
): Message[] {
  const calls = messages.flatMap((message) =>
    message.role === 'assistant' ? (message.tool_calls ?? []) : [],
  );
  const toolNames = new Map(calls.map((call) => [call.id, call.function.name]));
  return messages.map((message) =>
    coerceMessageLikeToMessage({
      ...fieldsOf(toChatMessage(message), toolNames),
      ...(message.id === undefined ? {} : { id: message.id }),
    }),
  );
}

function fieldsOf(message: ChatMessage, toolNames: ReadonlyMap<string, string>): LangChainMessageFields {
  if (message.role === 'tool') {
    const name = toolNames.get(message.tool_call_id);
    return name === undefined ? message : { ...message, name };
  }
  if (message.role !== 'assistant') return message;
  const { tool_calls: calls = [], content, ...rest } = message;
  const parsed = calls.map(parseCall);
  return {
    ...rest,
    content: content ?? '',
    tool_calls: parsed.filter((call) => call.type === 'tool_call'),
    invalid_tool_calls: parsed.filter((call) => call.type === 'invalid_tool_call'),
  };
}

function parseCall({ id, function: { name, arguments: text } }: ToolCall) {
  const args = parseArguments(text);
  return args
    ? ({ id, name, args, type: 'tool_call' } as const)
    : ({ id, name, args: text, error: 'Malformed args.', type: 'invalid_tool_call' } as const);
}
