import { slicesOf } from './slices.ts';
import { tokenizerOf, type Tokenizer } from './tokenizer.ts';

export const APPROXIMATE_ID = 'approximate/2';

/**
 * Returns a tokenizer that estimates counts without a vocabulary: nothing is loaded, and the first count is fast.
 *
 * It overestimates rather than underestimates, so that a budget is not exceeded. Compared with `o200k_base`:
 * English prose about 25 % over, code and JSON 50 to 80 %, other European languages 10 to 100 %, Chinese, Japanese and
 * Korean 70 to 110 %, Arabic and Indic text 100 to 200 %, Base64 and hashes about 10 %, a run of one letter many
 * times over. Compared with `cl100k_base`, about 30 points less. Rare ideographs and joined emoji may be
 * underestimated.
 */
export function approximateTokenizer(): Tokenizer {
  const countText = (text: string): number => {
    let tokens = 0;
    for (const slice of slicesOf(text)) tokens += countSlice(slice);
    return tokens;
  };
  return { ...tokenizerOf(APPROXIMATE_ID, countText), slices: slicesOf };
}

/** Character classes with the tokens of a run of each length. The first class that matches is used. */
const CLASSES: readonly (readonly [pattern: string, tokens: (length: number) => number])[] = [
  ['[A-Za-z0-9+/=_-]{32,}', (length) => length / 1.35],
  // A capital letter starts a new token, as in the vocabularies.
  ['[A-Z]?[a-z]+(?!\\p{L})', (length) => (length <= 6 ? 1 : Math.ceil(length / (length <= 12 ? 4 : 3)))],
  ['[A-Z]+(?!\\p{L})', (length) => Math.ceil(length / 2.5)],
  ['\\p{N}+', (length) => Math.ceil(length / 3)],
  ['[\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Hangul}]+', (length) => length * 1.6],
  ['[\\p{sc=Latin}\\p{M}]+', (length) => Math.max(1, length / 1.4)],
  ['\\p{sc=Cyrillic}+', (length) => Math.max(1, length * 0.65)],
  ['[\\p{L}\\p{M}]+', (length) => length * 1.25],
  // One space belongs to the word after it.
  ['(?<=\\S) (?=\\S)', () => 0],
  ['\\s+', (length) => Math.ceil(length / 4)],
  ['[\\x21-\\x7e\\u00a1-\\u2bff\\u3000-\\u303f\\uff00-\\uffef]', () => 1],
  ['.', () => 3.5],
];

const PIECES = new RegExp(CLASSES.map(([pattern]) => `(${pattern})`).join('|'), 'gsu');

function countSlice(text: string): number {
  let tokens = 0;
  for (const match of text.matchAll(PIECES)) {
    const matched = CLASSES.findIndex((_, index) => match[index + 1] !== undefined);
    tokens += CLASSES[matched]?.[1](match[0].length) ?? 0;
  }
  return Math.ceil(tokens);
}
