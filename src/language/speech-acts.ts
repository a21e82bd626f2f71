import { copied, copiedForms, unusualForms } from './acts/forms.ts';
import { hearsay } from './acts/hearsay.ts';
import { introduced } from './acts/introductions.ts';
import { presentedLetters } from './acts/letters.ts';
import { markedLines, quotations } from './acts/quotations.ts';
import { presentedText, workedOn } from './acts/requests.ts';
import { ironicSpans, supposedSpans } from './acts/supposed.ts';
import { joined, linesOf, type Line, type Span } from './text-spans.ts';

/**
 * What a stretch of a message is, other than the user's own talk. `material`: a text from elsewhere or to work on.
 * `supposed`: a game, a story, a hypothesis. `unclear`: even a person could not tell.
 */
export type SpeechAct = 'material' | 'supposed' | 'unclear';

/** A stretch of a message that is not the user's own talk. */
export interface Stretch extends Span {
  readonly act: SpeechAct;
}

/**
 * Longest text that is read, in UTF-16 units. A longer text was not typed, and is material as a whole.
 */
const MAX_TYPED_CHARACTERS = 20_000;

/**
 * Returns the stretches of a user's message that are not their own talk, in order. Stretches of different acts may overlap.
 *
 * @param userName name under which the user speaks: what stands behind it as a label is their own talk
 */
export function stretchesNotOwn(text: string, userName?: string): Stretch[] {
  if (text.length > MAX_TYPED_CHARACTERS) return [{ start: 0, end: text.length, act: 'material' }];
  // Marks of direction and other hidden characters stand between no words.
  const shown = text.replaceAll(/[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu, ' ');
  return stretchesIn(shown, userName).toSorted((a, b) => a.start - b.start);
}

function stretchesIn(text: string, userName: string | undefined): Stretch[] {
  const lines = linesOf(text);
  const paragraphs = paragraphsOf(lines);
  const worked = workedOn(text, paragraphs);
  const told = hearsay(text, paragraphs);
  const of = (act: SpeechAct, spans: readonly Span[]): Stretch[] =>
    joined(spans).map(({ start, end }) => ({ start, end, act }));
  const presented = presentedText(text);
  const shaped = [...quotations(text, lines), ...copiedForms(text, lines, userName)];
  const isForeign = presented === 'foreign';
  return [
    ...of('material', [
      ...markedLines(text),
      ...(isForeign ? shaped : []),
      ...copied(text),
      ...worked.filter(({ isUnclear }) => !isUnclear && isForeign),
      ...told.filter(({ isVerbatim }) => isVerbatim),
    ]),
    ...of('supposed', [...supposedSpans(text, paragraphs), ...ironicSpans(text)]),
    ...of('unclear', [
      ...(presented === 'unclear' ? [...shaped, ...worked] : []),
      ...(isForeign
        ? [...unusualForms(lines, userName), ...worked.filter(({ isUnclear }) => isUnclear)]
        : []),
      ...told.filter(({ isVerbatim }) => !isVerbatim),
      ...presentedLetters(text, paragraphs),
      ...introduced(text, userName),
    ]),
  ];
}

/** Returns the runs of lines between empty ones. */
function paragraphsOf(lines: readonly Line[]): Span[] {
  const paragraphs: { start: number; end: number }[] = [];
  let isOpen = false;
  for (const { text, start, end } of lines) {
    const isEmpty = text.trim() === '';
    const last = paragraphs.at(-1);
    if (!isEmpty && isOpen && last) last.end = end;
    else if (!isEmpty) paragraphs.push({ start, end });
    isOpen = !isEmpty;
  }
  return paragraphs;
}
