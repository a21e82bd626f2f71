import { MnemoraError } from '../model/error.ts';
import { parseMessage, parseMessages, toChatMessage, type ChatMessage } from '../model/message.ts';
import { chooseInputKey } from './input-key.ts';

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
 * Without keys the input itself is the new messages, and the runnable gets the history followed by them. With a
 * history key the input is an object that gets the history under that key; with an input key alone the history
 * is put before the messages under it.
 *
 * @throws MnemoraError `invalid-input`, `invalid-message`
 */
export function readTurnInput(input: unknown, keys: InputKeys): TurnInput {
  const { inputMessagesKey, historyMessagesKey } = keys;
  if (inputMessagesKey === undefined && historyMessagesKey === undefined) {
    const messages = readInputMessages(input);
    return { messages, withHistory: (history) => [...history, ...messages.map(toChatMessage)] };
  }
  if (!isPlainObject(input)) {
    throw new MnemoraError(
      'invalid-input',
      `Expected an object with the key "${inputMessagesKey ?? 'input'}", for message keys are set.`,
    );
  }
  const values = { ...input };
  const inputKey = chooseInputKey(values, {
    inputKey: inputMessagesKey,
    exclude: historyMessagesKey === undefined ? [] : [historyMessagesKey],
  });
  const messages = readInputMessages(values[inputKey]);
  return {
    messages,
    withHistory: (history) =>
      historyMessagesKey === undefined
        ? { ...values, [inputKey]: [...history, ...messages.map(toChatMessage)] }
        : { ...values, [historyMessagesKey]: [...history] },
  };
}

function readInputMessages(value: unknown): ChatMessage[] {
  if (typeof value === 'string') return [parseMessage({ role: 'user', content: value })];
  if (Array.isArray(value) && value.length > 0) return parseMessages(value);
  if (isPlainObject(value) && 'role' in value) return [parseMessage(value)];
  throw new MnemoraError(
    'invalid-input',
    `Expected a string, a message or a list of messages, got ${describe(value)}. To pass an object, set inputMessagesKey.`,
  );
}

function describe(value: unknown): string {
  if (Array.isArray(value)) return 'an empty list';
  return value === null ? 'null' : `a value of type ${typeof value}`;
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
