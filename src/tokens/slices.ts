/** Maximum characters of a slice: it is counted in a few milliseconds, whatever it contains. */
export const SLICE_CHARACTERS = 4096;

/**
 * Matches up to the last place where every vocabulary begins a new word: between a letter and a single space or
 * punctuation mark with a letter after it. No apostrophe, which may continue a word.
 */
const UP_TO_A_WORD = /^[^]*\p{L}(?=[^\r\n\p{L}\p{N}\p{M}'’]\p{L})/u;

/**
 * Splits a text into slices of up to {@link SLICE_CHARACTERS}, where a new word begins if there is such a place. The
 * slices joined are the text, a slice of a slice is the slice itself, and no surrogate pair is split.
 */
export function* slicesOf(text: string): Generator<string, void, undefined> {
  let start = 0;
  while (text.length - start > SLICE_CHARACTERS) {
    const most = text.slice(start, start + SLICE_CHARACTERS);
    const endsInPair = Number(text.codePointAt(start + SLICE_CHARACTERS - 1)) > 0xffff;
    const cut = UP_TO_A_WORD.exec(most)?.[0] ?? (endsInPair ? most.slice(0, -1) : most);
    yield cut;
    start += cut.length;
  }
  if (start < text.length) yield text.slice(start);
}
