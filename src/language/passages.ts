import { sentencesIn } from './sentences.ts';
import { linesOf, type Span } from './text-spans.ts';

/** A part of a text that can be read by itself: some sentences, list items, rows of a table or lines of code. */
export interface Passage extends Span {
  /** The heading that the passage stands under, and the head of its table. Empty if there are none. */
  readonly heading: string;
}

/**
 * Width of a passage, as wide as about 100 tokens: a letter of an alphabet counts 1, an ideograph or a syllable 4,
 * because it is nearly a token. A longer list item or line is a passage by itself.
 */
const PASSAGE_WIDTH = 400;
/** A paragraph that ends behind this width ends the passage. */
const PARAGRAPH_WIDTH = 160;

/** A wider sentence is split behind a comma or at a space: text without sentence marks, as in speech or Thai. */
const SENTENCE_WIDTH = 600;

/** A text that is at most this wide is one passage: a message as people type it. */
const WHOLE_WIDTH = 600;

/** Whether a text is short enough to be one passage. */
export function isOnePassage(text: string): boolean {
  return widthOf(text) <= WHOLE_WIDTH;
}

/** Splits a text into passages, in order. Spaces between them belong to none. */
export function passagesIn(text: string): Passage[] {
  const passages: Passage[] = [];
  let heading = '';
  let head = '';
  let isTable = false;
  let open: { start: number; end: number; width: number } | undefined;
  const close = (): void => {
    if (open)
      passages.push({
        start: open.start,
        end: open.end,
        heading: [heading, head].filter(Boolean).join('\n'),
      });
    open = undefined;
  };
  for (const { start, end, kind } of unitsIn(text)) {
    const unit = text.slice(start, end);
    if (kind === 'blank') {
      if (open && open.width >= PARAGRAPH_WIDTH) close();
      continue;
    }
    if (kind === 'heading') {
      close();
      heading = unit.trim();
      head = '';
      isTable = false;
      open = { start, end, width: widthOf(unit) };
      continue;
    }
    if (kind === 'row') {
      if (!isTable && open && open.width >= PARAGRAPH_WIDTH) close();
      if (!isTable) head = unit.trim();
    } else if (isTable) {
      close();
      head = '';
    }
    isTable = kind === 'row';
    if (open && widthOf(text.slice(open.start, end)) > PASSAGE_WIDTH) close();
    const from = open?.start ?? start;
    open = { start: from, end, width: widthOf(text.slice(from, end)) };
  }
  close();
  return passages;
}

/** Returns the width of a text; see {@link PASSAGE_WIDTH}. */
export function widthOf(text: string): number {
  return text.length + 3 * (text.match(WIDE)?.length ?? 0);
}

const WIDE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/gu;

interface Unit extends Span {
  readonly kind: 'blank' | 'heading' | 'row' | 'line' | 'sentence';
}

/** Returns what must not be split: lines of code, rows and list items as lines, everything else as sentences. */
function unitsIn(text: string): Unit[] {
  let isCode = false;
  return linesOf(text).flatMap((line): Unit[] => {
    const { start, end } = line;
    if (line.text.trim() === '') return [{ start, end, kind: 'blank' }];
    if (FENCE.test(line.text)) isCode = !isCode;
    else if (!isCode && HEADING.test(line.text)) return [{ start, end, kind: 'heading' }];
    if (isCode || FENCE.test(line.text)) return [{ start, end, kind: 'line' }];
    if (ROW.test(line.text)) return [{ start, end, kind: 'row' }];
    if (ITEM.test(line.text)) return [{ start, end, kind: 'line' }];
    return sentencesIn(line.text).flatMap((sentence) =>
      piecesOf(line.text, sentence).map((piece) => ({
        start: start + piece.start,
        end: start + piece.end,
        kind: 'sentence',
      })),
    );
  });
}

/** Returns a sentence, or the pieces of one that is too wide, without the spaces behind them. */
function piecesOf(text: string, { start, end }: Span): Span[] {
  const whole = { start, end: start + text.slice(start, end).trimEnd().length };
  if (widthOf(text.slice(start, end)) <= SENTENCE_WIDTH) return [whole];
  const pieces: Span[] = [];
  let from = start;
  let comma = start;
  let before = start;
  for (const word of text.slice(start, whole.end).matchAll(/\S+/gu)) {
    const to = start + word.index + word[0].length;
    if (widthOf(text.slice(from, to)) > PASSAGE_WIDTH && before > from) {
      const cut = comma > from ? comma : before;
      pieces.push({ start: from, end: cut });
      from = cut + text.slice(cut).search(/\S/u);
    }
    before = to;
    if (/[,;:،，、；：]$/u.test(word[0])) comma = to;
  }
  return [...pieces, { start: from, end: whole.end }];
}

const FENCE = /^\s*(?:```|~~~)/u;
const HEADING = /^\s*(?:#{1,6}\s.{1,120}|\*\*[^*]{1,120}\*\*:?|[^.!?。|]{1,80}:)\s*$/u;
const ROW = /^\s*\|.*\|/u;
const ITEM = /^\s*(?:[-*+•–]|\p{L}?\d{1,3}[.)])\s/u;
