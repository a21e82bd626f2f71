import { pastedSpans, type Span } from './pasted-shapes.ts';

/** Quotations from this length on, in UTF-16 units, are treated as pasted. */
const LONG_QUOTATION = 200;
/**
 * Longest text that is searched for pasted parts, in UTF-16 units. A longer text was not typed, and counts as pasted
 * as a whole.
 */
const MAX_TYPED_CHARACTERS = 20_000;

/**
 * Returns the parts of a user's text that come from elsewhere: code fences, `>` quotes, quotations of more than a
 * sentence or two, and everything that looks pasted. The parts are in order, do not overlap, and are exact
 * substrings. Pasted text that shows no sign of it is not detected.
 */
export function pastedParts(text: string): string[] {
  if (text.length > MAX_TYPED_CHARACTERS) return [text];
  const quotations = Array.from(text.matchAll(QUOTATION), ({ 0: part, index }) => spanAt(index, part.length));
  const spans = [...quotedSpans(text), ...quotations, ...pastedSpans(text)];
  return joined(spans).map(({ start, end }) => text.slice(start, end));
}

/** Returns the text with `mark` in place of each run of `>` lines and code fences. */
export function withoutQuotedLines(text: string, mark: string): string {
  const kept: string[] = [];
  let at = 0;
  for (const { start, end } of joined(markedLines(text))) {
    kept.push(text.slice(at, start));
    at = end;
  }
  kept.push(text.slice(at));
  return kept.length === 1 ? text : kept.join(mark).trim();
}

/** A quotation cannot contain its own marks, so the text is scanned only once, however many marks it has. */
const QUOTATION = new RegExp(
  [
    `“[^“”]{${LONG_QUOTATION},}”`,
    `„[^„“”]{${LONG_QUOTATION},}[“”]`,
    `"[^"]{${LONG_QUOTATION},}"`,
    `«[^«»]{${LONG_QUOTATION},}»`,
    `‘[^‘]{${LONG_QUOTATION},}’(?![\\p{L}])`,
    `(?<![\\p{L}\\p{N}])'[^\\n]{${LONG_QUOTATION},}'(?![\\p{L}\\p{N}])`,
  ].join('|'),
  'gu',
);

const FENCE = /^\s{0,3}(?:`{3,}|~{3,})/u;
const QUOTE = /^\s{0,3}>/u;

/** Returns the lines behind `>`, and code fences with the lines in them. */
function markedLines(text: string): Span[] {
  const spans: Span[] = [];
  let start = 0;
  let fence: string | undefined;
  for (const line of text.split('\n')) {
    const mark = FENCE.exec(line)?.[0].trim();
    if (fence !== undefined || mark !== undefined || QUOTE.test(line)) spans.push(spanAt(start, line.length));
    if (fence === undefined) fence = mark;
    else if (mark?.startsWith(fence) && line.trim() === mark) fence = undefined;
    start += line.length + 1;
  }
  return spans;
}

/**
 * Returns the parts between quotation marks of Markdown. Fences include everything from the first to the last,
 * because pasted text may contain fences of its own; an unclosed fence extends to the end of the text. Quotes extend
 * to the next empty line, because in Markdown their later lines need no mark.
 */
function quotedSpans(text: string): Span[] {
  const spans: Span[] = [];
  const fences: Span[] = [];
  let start = 0;
  let isQuote = false;
  for (const line of text.split('\n')) {
    const span = spanAt(start, line.length);
    if (FENCE.test(line)) fences.push(span);
    isQuote = QUOTE.test(line) || (isQuote && line.trim() !== '');
    if (isQuote) spans.push(span);
    start += line.length + 1;
  }
  const [first] = fences;
  const last = fences.at(-1);
  if (first && last)
    spans.push({ start: first.start, end: fences.length % 2 === 1 ? text.length : last.end });
  return spans;
}

function spanAt(start: number, length: number): Span {
  return { start, end: start + length };
}

/** Sorts spans, and merges those that touch or overlap. */
function joined(spans: readonly Span[]): Span[] {
  const all: Span[] = [];
  for (const span of spans.filter(({ start, end }) => end > start).toSorted((a, b) => a.start - b.start)) {
    const last = all.at(-1);
    if (last && span.start <= last.end + 1)
      all[all.length - 1] = { start: last.start, end: Math.max(last.end, span.end) };
    else all.push(span);
  }
  return all;
}
