/** Marks where text was left out. A quote never spans it. */
export const CUT_MARK = '[…]';

/** Shortens a text to a number of UTF-16 code units by replacing its middle with a mark. */
export function shorten(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text;
  const kept = Math.max(0, maxCharacters - CUT_MARK.length - 2);
  const end = Math.floor(kept / 3);
  const rest = end === 0 ? '' : text.slice(-end);
  return `${text.slice(0, kept - end)} ${CUT_MARK} ${rest}`.toWellFormed();
}

/** Returns the largest limit at which these texts fit into a space together, so that only the longest are cut. */
export function fairShare(texts: readonly string[], space: number): number {
  let left = space;
  const lengths = texts.map(({ length }) => length).toSorted((a, b) => a - b);
  for (const [index, length] of lengths.entries()) {
    const share = Math.floor(left / (lengths.length - index));
    if (length > share) return share;
    left -= length;
  }
  return space;
}
