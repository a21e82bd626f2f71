import { isNone, withoutThoughts } from './reply-text.ts';

/** No reply that was asked for is longer, in UTF-16 units; the rest is not looked at. */
const MAX_REPLY_CHARACTERS = 200_000;

/** A reply of bounded length, without what a model thought aloud before it. */
export function cleanReply(text: string): string {
  return withoutThoughts(text.slice(0, MAX_REPLY_CHARACTERS).toWellFormed());
}

/**
 * The running text of a reply, without a fence or a label around it; undefined where it says that there is nothing.
 * A fence in the middle is part of the text.
 */
export function replyProse(text: string): string | undefined {
  const cleaned = cleanReply(text);
  const fenced = WHOLLY_FENCED.exec(cleaned)?.[1];
  const prose = (fenced ?? cleaned).trim().replace(LABEL, '').trim();
  return isNone(prose) ? undefined : prose;
}

/** Whether a reply says that what is known still holds. */
export function isUnchanged(text: string): boolean {
  return /^[^\p{L}\p{N}]*unchanged[^\p{L}\p{N}]*$/iu.test(text.slice(0, 100));
}

const WHOLLY_FENCED = /^```[^\n`]*\n((?:(?!```)[\s\S])*)(?:```)?$/u;
const LABEL = /^(?:\*\*|#+\s)?(?:(?:new|updated|current|running)\s+)?summary(?:\*\*)?\s*:(?:\*\*)?/iu;
