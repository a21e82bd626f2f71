import { isNone, withoutThoughts } from './reply-text.ts';

/** Longer replies are truncated, in UTF-16 code units; no expected reply is this long. */
const MAX_REPLY_CHARACTERS = 200_000;

/** Returns a reply of limited length, without the thinking that a model put before it. */
export function cleanReply(text: string): string {
  return withoutThoughts(text.slice(0, MAX_REPLY_CHARACTERS).toWellFormed());
}

/**
 * Returns the prose of a reply without a surrounding code fence or label, or undefined if it says that there is
 * nothing. A fence in the middle is part of the text.
 */
export function replyProse(text: string): string | undefined {
  const cleaned = cleanReply(text);
  const fenced = WHOLLY_FENCED.exec(cleaned)?.[1];
  const prose = (fenced ?? cleaned).trim().replace(LABEL, '').trim();
  return isNone(prose) ? undefined : prose;
}

/** Whether a reply says that nothing has changed. */
export function isUnchanged(text: string): boolean {
  return /^[^\p{L}\p{N}]*unchanged[^\p{L}\p{N}]*$/iu.test(text.slice(0, 100));
}

const WHOLLY_FENCED = /^```[^\n`]*\n((?:(?!```)[\s\S])*)(?:```)?$/u;
const LABEL = /^(?:\*\*|#+\s)?(?:(?:new|updated|current|running)\s+)?summary(?:\*\*)?\s*:(?:\*\*)?/iu;
