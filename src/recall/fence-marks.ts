import { hmacSha256 } from '../storage/sha256.ts';

/** The marks of the fences around recalled text in a request. */
export interface FenceMarks {
  /** Mark around text that is the same in all requests of a session, so that a prompt cache applies to it. */
  readonly session: string;
  /** Mark around text that was recalled for one question. */
  readonly question: string;
}

/** 96 bits. */
const MARK_CHARACTERS = 24;

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
  // As JSON, so that no id can be chosen that gives a mark of the other kind.
  const mark = (...parts: readonly string[]): string =>
    hmacSha256(secret, JSON.stringify(parts)).slice(0, MARK_CHARACTERS);
  return {
    session: mark('session', sessionId),
    question: 'turnId' in asked ? mark('turn', sessionId, asked.turnId) : mark('text', sessionId, asked.text),
  };
}
