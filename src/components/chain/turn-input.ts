import { MnemoraError } from '../../model/error.ts';
import { isLangChainMessage } from '../../model/langchain-message.ts';
import { parseMessage, parseMessages, toChatMessage, type ChatMessage } from '../../model/message.ts';
import { chooseInputKey } from '../langchain/input-key.ts';

export interface InputKeys {
  inputMessagesKey?: string | undefined;
  historyMessagesKey?: string | undefined;
}

/** A copy of the input of one turn, which later changes by the caller do not affect. */
export interface TurnInput {
  /** New messages of this turn, which will be stored. */
  readonly messages: readonly ChatMessage[];
  /** Returns the input for the runnable. */
  withHistory(history: readonly ChatMessage[]): unknown;
}

/**
 * Reads the input of a turn.
 *
 * Without keys the input is the new messages, or an object that contains them, and the runnable gets the history followed
 * by the new messages. With a history key the input is an object to which the history is added under that key. With an
 * input key only, the history is put before the messages under that key. Without an input key, the messages of an object
 * are under `input` or under its only key.
 *
 * @throws MnemoraError `invalid-input` or `invalid-message`
 */
export function readTurnInput(input: unknown, keys: InputKeys): TurnInput {
  const { inputMessagesKey, historyMessagesKey } = keys;
  if (inputMessagesKey === undefined && historyMessagesKey === undefined) {
    const messages = readInputMessages(
      isPlainObject(input) && !isMessageLike(input) ? input[findInputKey(input, keys)] : input,
    );
    return { messages, withHistory: (history) => [...history, ...messages.map(toChatMessage)] };
  }
  if (!isPlainObject(input)) {
    throw new MnemoraError(
      'invalid-input',
      `Expected an object with the key "${inputMessagesKey ?? 'input'}", for message keys are set.`,
    );
  }
  const values = { ...input };
  const inputKey = findInputKey(values, keys);
  const messages = readInputMessages(values[inputKey]);
  return {
    messages,
    withHistory: (history) =>
      historyMessagesKey === undefined
        ? { ...values, [inputKey]: [...history, ...messages.map(toChatMessage)] }
        : { ...values, [historyMessagesKey]: [...history] },
  };
}

function findInputKey(values: Record<string, unknown>, keys: InputKeys): string {
  const { inputMessagesKey, historyMessagesKey } = keys;
  return chooseInputKey(values, {
    inputKey: inputMessagesKey ?? (values['input'] === undefined ? undefined : 'input'),
    exclude: historyMessagesKey === undefined ? [] : [historyMessagesKey],
  });
}

function readInputMessages(value: unknown): ChatMessage[] {
  if (typeof value === 'string') return [parseMessage({ role: 'user', content: value })];
  if (Array.isArray(value) && value.length > 0) return parseMessages(value);
  if (isPlainObject(value) && isMessageLike(value)) return [parseMessage(value)];
  throw new MnemoraError(
    'invalid-input',
    `Expected a string, a message or a list of messages, got ${describe(value)}. Set inputMessagesKey where an object holds it.`,
  );
}

function describe(value: unknown): string {
  if (Array.isArray(value)) return 'an empty list';
  return value === null ? 'null' : `a value of type ${typeof value}`;
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isMessageLike(value: Record<string, unknown>): boolean {
  return 'role' in value || isLangChainMessage(value);
}
