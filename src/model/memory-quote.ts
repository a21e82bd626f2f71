/** Stored in place of the result of a memory tool, which the memory already contains. */
export const REPLY_OF_MEMORY = 'A reply of the memory, which is not repeated here.';

/** Matches a mark of a fence, also where it is escaped for JSON or HTML. */
const MARK = /(?:<|\\u003c|&lt;)\/?memory-[\da-f]{24}/iu;

/** Whether a text is a quote of the memory, or a part of one: it has a mark of a fence. */
export function hasQuote(text: string): boolean {
  return MARK.test(text);
}
