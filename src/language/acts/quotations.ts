import { isPersonal } from '../question-features.ts';
import { spanAt, type Line, type Span } from '../text-spans.ts';

/**
 * Returns the quotations of a text in which somebody speaks: those in the first person, and those of a sentence or more.
 * A title or a single word between quotation marks is part of the sentence around it.
 */
export function quotations(text: string, lines: readonly Line[]): Span[] {
  const marked = Array.from(text.matchAll(QUOTATION), ({ 0: part, index }) => spanAt(index, part.length));
  return [...marked, ...betweenSingleQuotes(lines, marked)].filter(
    ({ start, end }) =>
      speaks(text.slice(start + 1, end - 1)) &&
      !SAID_MYSELF.test(text.slice(Math.max(0, start - NEAR), start)),
  );
}

/** Returns the lines behind `>`, and code fences with the lines in them, as an answer has them. */
export function quotedInAnswer(text: string): Span[] {
  const spans: Span[] = [];
  let start = 0;
  let fence: string | undefined;
  for (const line of text.split('\n')) {
    const mark = FENCE.exec(line)?.[0].trim();
    if (fence !== undefined || mark !== undefined || /^\s{0,3}>/u.test(line))
      spans.push(spanAt(start, line.length));
    if (fence === undefined) fence = mark;
    else if (mark?.startsWith(fence) && line.trim() === mark) fence = undefined;
    start += line.length + 1;
  }
  return spans;
}

/** Returns code fences, and the lines behind `>` or `|` with those that go on below them. */
export function markedLines(text: string): Span[] {
  const spans: Span[] = [];
  const fences: Span[] = [];
  let start = 0;
  let isQuote = false;
  for (const line of text.split('\n')) {
    const span = spanAt(start, line.length);
    if (FENCE.test(line)) fences.push(span);
    isQuote = QUOTE.test(line) || (isQuote && line.trim() !== '' && !START.test(line));
    if (isQuote) spans.push(span);
    start += line.length + 1;
  }
  // Pasted text may have fences of its own; one that is not closed goes on to the end.
  const [first] = fences;
  const last = fences.at(-1);
  if (first && last)
    spans.push({ start: first.start, end: fences.length % 2 === 1 ? text.length : last.end });
  return spans;
}

/** A quotation cannot contain its own marks, so the text is scanned only once, however many marks it has. */
const QUOTATION =
  /“[^“”]+”|„[^„“”]+[“”]|"[^"]+"|«[^«»]+»|»[^«»]+«|‹[^‹›]+›|›[^‹›]+‹|「[^「」]+」|『[^『』]+』|‘[^‘]+’(?![\p{L}])/gu;
const OPENING_QUOTE = /(?<![\p{L}\p{N}])'(?=\S)/gu;
const CLOSING_QUOTE = /(?<=\S)'(?![\p{L}\p{N}])/gu;

function speaks(quoted: string): boolean {
  const words = quoted.match(/[\p{L}\p{N}'’-]+/gu)?.length ?? 0;
  const unspaced = quoted.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu)?.length ?? 0;
  if (words + unspaced / 2 < FEW_WORDS) return false;
  return isPersonal(quoted) || words + unspaced / 2 >= SENTENCE_WORDS;
}

/** "I told my boss". */
const SAID_MYSELF =
  /(?<![\p{L}'])(?:(?:i|ich|je|yo|eu|io)\s(?:\p{L}+ )?|j'ai (?:\p{L}+ )?|ho )(?:said|told|asked|wrote|replied|répondu|dit|écrit|detto|scritto|respondí|answered|texted|emailed|sagte|schrieb|dije|escribí|disse|risposto)\b[^.!?\n"“„«]*$/iu;
const NEAR = 80;
const FEW_WORDS = 3;
const SENTENCE_WORDS = 7;

/** Returns what stands between single quotation marks: pairs of a mark that can open and the next that can close. */
function betweenSingleQuotes(lines: readonly Line[], others: readonly Span[]): Span[] {
  return lines.flatMap((line) => {
    const spans: Span[] = [];
    let from = 0;
    for (const { index } of line.text.matchAll(OPENING_QUOTE)) {
      if (index < from) continue;
      CLOSING_QUOTE.lastIndex = index + 1;
      const close = CLOSING_QUOTE.exec(line.text)?.index;
      if (close === undefined) break;
      from = close + 1;
      const span = { start: line.start + index, end: line.start + from };
      if (!others.some((other) => other.start <= span.start && span.end <= other.end)) spans.push(span);
    }
    return spans;
  });
}

const FENCE = /^\s{0,3}(?:`{3,}|~{3,})/u;
const QUOTE = /^\s*(?:[>＞]|\|(?!.*\|\s*$)(?=\s))/u;
/** A line that begins something new is no lazy continuation of a quote. */
const START = /^\s*(?:reply|answer|respond|tell|write|what|how|is|are|can|could|should|do|does|please)\b/iu;
