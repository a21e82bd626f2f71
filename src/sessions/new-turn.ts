import {
  checkReplaces,
  checkSignal,
  checkSessionId,
  checkTurnId,
  checkTurnState,
} from '../model/call-options.ts';
import { checkBoolean, checkOptions, anything, type OptionChecks } from '../model/check-options.ts';
import { requireTime } from '../model/clock.ts';
import { describe } from '../model/describe.ts';
import { invalidInput } from '../model/error.ts';
import { isRecord } from '../model/is-record.ts';
import { requireShallow } from '../model/json.ts';
import { hasQuote, REPLY_OF_MEMORY } from '../model/memory-quote.ts';
import { parseMessages, type ChatMessage, type TurnState } from '../model/message.ts';

/** A turn to remember: the texts of both sides, or all its messages including tool calls and results. */
export type NewTurn = { user: string; assistant: string } | { messages: readonly ChatMessage[] };

export interface RememberOptions {
  /** Remembering the same turn under the same id again changes nothing. @default a new id */
  turnId?: string;
  /** @default the session of this memory */
  sessionId?: string;
  /** Time of the turn, in milliseconds since 1970. @default now */
  createdAt?: number;
  /** Plain data (JSON) stored with each message. */
  metadata?: Readonly<Record<string, unknown>>;
  /**
   * `pending` stores a question before its answer exists; remembering the whole turn under the same `turnId` completes
   * it. Turns that are not `complete` are hidden from the model and from search. @default 'complete'
   */
  state?: Exclude<TurnState, 'replaced'>;
  /**
   * Whether the turn with this `turnId` must already be stored, in any state. If it is not, for example because it was
   * forgotten while it was being answered, nothing is stored and `remember` rejects with `not-found`. @default false
   */
  continues?: boolean;
  /**
   * Id of the turn of this session that this one replaces, because its answer was regenerated or its question edited;
   * several ids if later turns are replaced, too. When this turn completes, the old turns stay in `history()` as
   * `replaced` but are no longer recalled, learned from or sent, and data derived from them alone is erased, all in one
   * transaction. Until then, and if this turn ends as `failed` or `cancelled`, old turns that are complete remain in
   * use. @default none
   */
  replaces?: string | readonly string[];
  signal?: AbortSignal;
}

/** Returns the messages of a turn, checked. @throws MnemoraError `invalid-input`, `invalid-message` */
export function parseTurn(turn: NewTurn): ChatMessage[] {
  const keys = Object.keys(Object(turn)).toSorted().join(',');
  if (keys === 'messages' && 'messages' in turn) {
    const messages = parseMessages(turn.messages);
    if (messages.length === 0) throw invalidInput('A turn must have at least one message.');
    return messages.map(withoutQuote);
  }
  if (keys !== 'assistant,user' || !('user' in turn)) {
    throw invalidInput(
      `A turn must be { user, assistant } or { messages }; got ${describe(turn)}. Write remember({ user: '…', assistant: '…' }).`,
    );
  }
  const { user, assistant } = turn;
  if (typeof user !== 'string' || typeof assistant !== 'string') {
    throw invalidInput(
      `user and assistant must be strings; got ${describe(user)} and ${describe(assistant)}.`,
    );
  }
  return parseMessages([
    { role: 'user', content: user },
    { role: 'assistant', content: assistant },
  ]);
}

/** A copy of what a tool has quoted from the memory would outlive the quoted messages. */
function withoutQuote(message: ChatMessage): ChatMessage {
  if (message.role !== 'tool' || !hasQuote(message.content)) return message;
  return { ...message, content: REPLY_OF_MEMORY, origin: 'memory' };
}

const CHECKS: OptionChecks<RememberOptions> = {
  turnId: checkTurnId,
  sessionId: checkSessionId,
  createdAt: (name, value) => requireTime(value, name),
  metadata: anything, // parsed
  state: checkTurnState,
  continues: checkBoolean,
  replaces: checkReplaces,
  signal: checkSignal('remember'),
};

/** Returns the options with a plain copy of the metadata. @throws MnemoraError `invalid-option`, `invalid-input` */
export function parseRememberOptions(options: RememberOptions): RememberOptions {
  const { turnId = '', replaces = [], metadata } = checkOptions('remember', options, CHECKS);
  if ([replaces].flat().includes(turnId)) {
    throw invalidInput('replaces must not contain the turnId of this turn.');
  }
  return metadata === undefined ? options : { ...options, metadata: parseMetadata(metadata) };
}

/** Returns a plain copy of metadata. @throws MnemoraError `invalid-input` */
export function parseMetadata(metadata: unknown, name = 'metadata'): Record<string, unknown> {
  let plain: unknown;
  try {
    plain = JSON.parse(JSON.stringify(metadata));
  } catch (cause) {
    throw invalidInput(`${name} must be plain data (JSON).`, cause);
  }
  requireShallow(plain, name);
  if (isRecord(plain)) return plain;
  throw invalidInput(`${name} must be an object; got ${describe(metadata)}.`);
}
