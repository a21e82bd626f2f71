import { checkBoolean, checkOptions, type OptionChecks } from '../model/check-options.ts';
import { requireTime } from '../model/clock.ts';
import { MnemoraError, invalidInput } from '../model/error.ts';
import { requireId } from '../model/id.ts';
import { requireShallow } from '../model/json.ts';
import { parseMessages, type ChatMessage, type TurnState } from '../model/message.ts';
import { checkId, checkInput, checkSignal } from './call-options.ts';

/** A turn to remember: what both said, or all its messages, tool calls and results included. */
export type NewTurn = { user: string; assistant: string } | { messages: readonly ChatMessage[] };

export interface RememberOptions {
  /** Remembering the same turn under the same id again changes nothing. @default a new id */
  turnId?: string;
  /** @default the session of this memory */
  sessionId?: string;
  /** When it was said, in milliseconds since 1970. @default now */
  createdAt?: number;
  /** Plain data (JSON) kept with each message. */
  metadata?: Readonly<Record<string, unknown>>;
  /**
   * `pending` stores a question before its answer is there; remembering the whole turn under the same `turnId` ends
   * it. Turns that are not `complete` are hidden from the model and from search. @default 'complete'
   */
  state?: Exclude<TurnState, 'replaced'>;
  /**
   * Whether the turn with this `turnId` must be stored already, in whatever state. If it is not, as when it was forgotten
   * while it was being answered, nothing is stored and `remember` rejects with `not-found`. @default false
   */
  continues?: boolean;
  /**
   * Id of the turn of this session that this one takes the place of: an answer that was asked for again, or a question
   * that was edited; several ids if later turns go with it. The old turns stay in `history()` as `replaced`, are never
   * recalled, learned from or sent, and what came from them alone is erased, all in one transaction. @default none
   */
  replaces?: string | readonly string[];
  signal?: AbortSignal;
}

/** Returns the messages of a turn, checked. @throws MnemoraError `invalid-input`, `invalid-message` */
export function parseTurn(turn: NewTurn): ChatMessage[] {
  if (typeof turn !== 'object' || turn === null) throw invalidInput('A turn must be an object.');
  const keys = Object.keys(turn).toSorted().join(',');
  if ('messages' in turn && keys === 'messages') {
    const messages = parseMessages(turn.messages);
    if (messages.length === 0) throw invalidInput('A turn must have at least one message.');
    return messages;
  }
  if (!('user' in turn) || keys !== 'assistant,user') {
    throw invalidInput('A turn is { user, assistant } or { messages }, and nothing else.');
  }
  const { user, assistant } = turn;
  if (typeof user !== 'string' || typeof assistant !== 'string') {
    throw invalidInput('user and assistant must be strings.');
  }
  return parseMessages([
    { role: 'user', content: user },
    { role: 'assistant', content: assistant },
  ]);
}

const STATES: readonly unknown[] = ['pending', 'complete', 'failed', 'cancelled'];

const CHECKS: OptionChecks<RememberOptions> = {
  turnId: checkId('A turn id'),
  sessionId: checkId('A session id'),
  createdAt: (name, value) => requireTime(value as number, name),
  metadata: () => undefined, // parsed
  state: checkInput(
    (value) => STATES.includes(value),
    (value) => `A turn has no state "${String(value)}".`,
  ),
  continues: checkBoolean,
  replaces: (_name, value) => {
    for (const id of [value].flat()) requireId(id, 'The id of the turn to replace');
  },
  signal: checkSignal('remember'),
};

/** Returns the options with a plain copy of the metadata. @throws MnemoraError `invalid-option`, `invalid-input` */
export function parseRememberOptions(options: RememberOptions): RememberOptions {
  const { turnId = '', replaces = [], metadata } = checkOptions('remember', options, CHECKS);
  if ([replaces].flat().includes(turnId)) {
    throw invalidInput('A turn cannot replace itself.');
  }
  return metadata === undefined ? options : { ...options, metadata: parseMetadata(metadata) };
}

function parseMetadata(metadata: unknown): Record<string, unknown> {
  let plain: unknown;
  try {
    plain = JSON.parse(JSON.stringify(metadata));
  } catch (cause) {
    throw new MnemoraError('invalid-input', 'metadata must be plain data (JSON).', { cause });
  }
  requireShallow(plain, 'metadata');
  if (typeof plain === 'object' && plain !== null && !Array.isArray(plain)) {
    return plain as Record<string, unknown>;
  }
  throw invalidInput('metadata must be an object.');
}
