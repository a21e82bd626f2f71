import { hmacSha256 } from '../storage/sha256.ts';

/** The marks that a request has around what is remembered. */
export interface FenceMarks {
  /** Around what stands in one request of a session as in the next: its bytes are in a prompt cache. */
  readonly session: string;
  /** Around what was recalled for one question. */
  readonly question: string;
}

/** 96 bits. */
const MARK_CHARACTERS = 24;

/**
 * Computed and never stored, so that the same state gives the same bytes. Who has not the secret of the database cannot
 * tell the marks of a session in advance, and a mark that an answer repeats is not that of the next question.
 */
export function fenceMarks(
  secret: string,
  sessionId: string,
  asked: { readonly turnId: string } | { readonly text: string },
): FenceMarks {
  // As JSON, so that no id can be written that stands for another kind of mark.
  const mark = (...parts: readonly string[]): string =>
    hmacSha256(secret, JSON.stringify(parts)).slice(0, MARK_CHARACTERS);
  return {
    session: mark('session', sessionId),
    question: 'turnId' in asked ? mark('turn', sessionId, asked.turnId) : mark('text', sessionId, asked.text),
  };
}
