import { requireTime } from '../model/clock.ts';
import { MnemoraError } from '../model/error.ts';
import { parseMessages, type ChatMessage, type TurnState } from '../model/message.ts';
import { checkCallOptions, requireId } from './call-options.ts';

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
   * Id of the turn of this session that this one takes the place of: an answer that was asked for again, or a question
   * that was edited. The old turn stays in `history()` as `replaced`, is never recalled, learned from or sent, and what
   * came from it alone is erased, all in one transaction. @default none
   */
  replaces?: string;
  signal?: AbortSignal;
}

/** The messages of a turn, checked. @throws MnemoraError `invalid-input`, `invalid-message` */
export function parseTurn(turn: NewTurn): ChatMessage[] {
  if (typeof turn !== 'object' || turn === null) throw invalid('A turn must be an object.');
  const keys = Object.keys(turn).toSorted().join(',');
  if ('messages' in turn && keys === 'messages') {
    const messages = parseMessages(turn.messages);
    if (messages.length === 0) throw invalid('A turn must have at least one message.');
    return messages;
  }
  if ('user' in turn && keys === 'assistant,user') {
    if (typeof turn.user !== 'string' || typeof turn.assistant !== 'string') {
      throw invalid('user and assistant must be strings.');
    }
    return parseMessages([
      { role: 'user', content: turn.user },
      { role: 'assistant', content: turn.assistant },
    ]);
  }
  throw invalid('A turn is { user, assistant } or { messages }, and nothing else.');
}

/** Checks the options that end up in the database. @throws MnemoraError `invalid-input` */
export function parseRememberOptions(options: RememberOptions): RememberOptions {
  checkCallOptions('remember', options, OPTION_NAMES);
  const { turnId, createdAt, metadata, state, replaces } = options;
  if (turnId !== undefined) requireId(turnId, 'A turn id');
  if (replaces !== undefined) requireId(replaces, 'The id of the turn to replace');
  if (replaces !== undefined && replaces === turnId) throw invalid('A turn cannot replace itself.');
  if (createdAt !== undefined) requireTime(createdAt, 'createdAt');
  if (state !== undefined && !STATES.includes(state))
    throw invalid(`A turn has no state "${String(state)}".`);
  return metadata === undefined ? options : { ...options, metadata: parseMetadata(metadata) };
}

const OPTION_NAMES = [
  'turnId',
  'sessionId',
  'createdAt',
  'metadata',
  'state',
  'replaces',
  'signal',
] as const satisfies readonly (keyof RememberOptions)[];

const STATES: readonly TurnState[] = ['pending', 'complete', 'failed', 'cancelled'];

function parseMetadata(metadata: unknown): Record<string, unknown> {
  let plain: unknown;
  try {
    plain = JSON.parse(JSON.stringify(metadata));
  } catch (cause) {
    throw new MnemoraError('invalid-input', 'metadata must be plain data (JSON).', { cause });
  }
  if (typeof plain === 'object' && plain !== null && !Array.isArray(plain)) {
    return plain as Record<string, unknown>;
  }
  throw invalid('metadata must be an object.');
}

function invalid(message: string): MnemoraError {
  return new MnemoraError('invalid-input', message);
}
