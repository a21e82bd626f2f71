import { toChatMessage, type ChatMessage } from '../../model/message.ts';
import { hmacSha256 } from '../../model/sha256.ts';

/** The marks of the fences around recalled text in a request. */
export interface FenceMarks {
  /** Mark around text that is the same in all requests of a session, so that a prompt cache applies to it. */
  readonly session: string;
  /** Mark around text that was recalled for one question. */
  readonly question: string;
}

/** Decimal digits cost models a third of a token each, hexadecimal digits twice that. 24 of them are 80 bits. */
export const MARK_DIGITS = 24;
const MARKS_IN_ALL = 10n ** BigInt(MARK_DIGITS);

/**
 * Returns the marks for one question. They are computed and never stored, so that the same state gives the same bytes.
 * They cannot be predicted without the secret of the database, and a mark that an answer repeats differs from that of the
 * next question.
 */
export function fenceMarks(
  secret: string,
  sessionId: string,
  asked: { readonly turnId: string } | { readonly text: string },
): FenceMarks {
  // As JSON, so that no choice of ids can produce a mark of the other kind.
  const mark = (...parts: readonly string[]): string => digitsOf(hmacSha256(secret, JSON.stringify(parts)));
  return {
    session: mark('session', sessionId),
    question: 'turnId' in asked ? mark('turn', sessionId, asked.turnId) : mark('text', sessionId, asked.text),
  };
}

/** Returns a mark for a single request, where there is no secret to compute one from. */
export function randomMark(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(MARK_BYTES));
  return digitsOf(Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join(''));
}

/** Enough random bytes that no digit is more likely than another. */
const MARK_BYTES = 32;

function digitsOf(hex: string): string {
  return (BigInt(`0x${hex}`) % MARKS_IN_ALL).toString().padStart(MARK_DIGITS, '0');
}

const MARKS = /memory-[\da-f]{24}(?![\da-f])/giu;
const NOT_IN_NAMES = /[\s<|\\/>\p{Cc}\p{Default_Ignorable_Code_Point}]+/gu;
const MAX_NAME_CHARACTERS = 64;

/** Whether a message contains a mark. It is laid out several times for one request, and can be long. */
const isMarked = new WeakMap<ChatMessage, boolean>();

/**
 * Returns a recent message as it is sent: word for word, but without a mark that a model has repeated, which could open
 * or close a fence. The name of its speaker is a single word, the only form that endpoints accept.
 */
export function sentMessage(message: ChatMessage): ChatMessage {
  const sent = toChatMessage(message);
  const marked = isMarked.get(message) ?? JSON.stringify(sent).search(MARKS) >= 0;
  isMarked.set(message, marked);
  const unmarked = marked ? withoutMarks(sent) : sent;
  if (!('name' in unmarked) || unmarked.name === undefined) return unmarked;
  const name = unmarked.name.replaceAll(NOT_IN_NAMES, '_').slice(0, MAX_NAME_CHARACTERS).toWellFormed();
  return { ...unmarked, name };
}

/** All strings of a message are its own, and a mark consists of characters that JSON does not escape. */
function withoutMarks(message: ChatMessage): ChatMessage {
  return JSON.parse(JSON.stringify(message).replaceAll(MARKS, 'memory-X')) as ChatMessage;
}
