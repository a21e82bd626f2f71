import { MnemoraError } from '../../model/error.ts';
import { isLangChainMessage } from '../../model/langchain-message.ts';
import { parseMessage, parseMessages, toChatMessage, type ChatMessage } from '../../model/message.ts';
import { chooseInputKey } from '../langchain/input-key.ts';

export interface InputKeys {
  inputMessagesKey?: string | undefined;
  historyMessagesKey?: string | undefined;
}

/** The input of one turn, copied, so that the caller may change its own. */
export interface TurnInput {
  /** What is new in this turn: what will be stored. */
  readonly messages: readonly ChatMessage[];
  /** What the runnable gets. */
  withHistory(history: readonly ChatMessage[]): unknown;
}

/**
 * Without keys the input itself is the new messages, or an object that holds them, and the runnable gets the history
 * followed by them. With a history key the input is an object that gets the history under that key; with an input key
 * alone the history is put before the messages under it. An object whose input key is not named has them under
 * `input`, or under its only key.
 *
 * @throws MnemoraError `invalid-input`, `invalid-message`
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
