import { foldInPlace } from './fold.ts';
import { CLOSING, INTENT_PATTERNS, OPENING, REQUEST, type AskedOfMemory } from './intent-patterns.ts';
import { isQuestion, sentencesIn } from './sentences.ts';

/** Request of a message to the memory itself, rather than to the assistant. */
export interface MemoryIntent {
  /**
   * `forget`: the user asks to forget something. `remember`: the user asks to remember something. `what-do-you-know`:
   * the user asks what is stored. `none`: anything else, including questions that memory helps to answer.
   */
  readonly kind: AskedOfMemory | 'none';
  /** The words that follow the request, verbatim: `I lived in Rome`. Absent if there are none. */
  readonly about?: string;
}

const NONE: MemoryIntent = { kind: 'none' };

/** Longer messages are documents that may contain a request without being one. In UTF-16 units. */
const MAX_CHARACTERS = 400;
/** Most UTF-16 units that NFC makes one of: a letter with three marks. */
const UNITS_COMPOSED = 4;

/**
 * Returns what a message asks of the memory, by rules for English, German, Spanish, French, Portuguese, Chinese and
 * Japanese. Returns `none` in doubt: the assistant answers a missed request, whereas a false positive is annoying.
 */
export function memoryIntent(message: string): MemoryIntent {
  if (message.trim().length > MAX_CHARACTERS * UNITS_COMPOSED) return NONE;
  const text = message.normalize('NFC').replaceAll('’', "'").trim();
  if (text === '' || text.length > MAX_CHARACTERS) return NONE;
  // A request may come after its reason.
  for (const { start } of sentencesIn(text)) {
    const intent = intentOf(text.slice(start), text);
    if (intent.kind !== 'none') return intent;
  }
  return NONE;
}

function intentOf(sentence: string, whole: string): MemoryIntent {
  const { text, isAsked } = withoutFrame(sentence);
  const folded = foldInPlace(text);
  // A message that also asks something needs an answer, and "remember Rome?" is a question.
  const marks = whole.match(/[?？]/gu)?.length ?? 0;
  const asksMore = marks > 1 || (marks === 1 && !(isAsked && isQuestion(whole)));
  for (const { kind, patterns, form } of INTENT_PATTERNS) {
    if (form === 'if-asked' && !isAsked) continue;
    if (kind !== 'what-do-you-know' && asksMore && !(form === 'as-question' && marks === 1)) continue;
    const match = patterns.map((pattern) => pattern.exec(folded)).find((each) => each !== null);
    if (!match) continue;
    const [start, end] = match.indices?.groups?.['about'] ?? [0, 0];
    const about = trimmed(text.slice(start, end));
    return about === '' ? { kind } : { kind, about };
  }
  return NONE;
}

/** Removes polite phrases such as "could you please", and returns whether the text asks for something. */
function withoutFrame(sentence: string): { text: string; isAsked: boolean } {
  let text = sentence.replace(/^[\s¿¡"“„«(]+/u, '');
  let isAsked = false;
  for (let parts = 0; parts < MAX_FRAMES; parts++) {
    const folded = foldInPlace(text);
    const opening = OPENING.exec(folded) ?? REQUEST.exec(folded);
    if (!opening) break;
    isAsked ||= REQUEST.test(folded);
    text = text.slice(opening[0].length);
  }
  return { text: withoutClosing(text), isAsked };
}

const MAX_FRAMES = 6;

function withoutClosing(text: string): string {
  const end = text.replace(END_MARKS, '');
  const closing = CLOSING.exec(foldInPlace(end));
  return closing ? withoutClosing(end.slice(0, closing.index)) : end;
}

const END_MARKS = /[\s.!?…,;:。！？，、"”»)]+$/u;

function trimmed(about: string): string {
  return about.replace(/^[\s:,，、：–—"“„«-]+/u, '').replace(END_MARKS, '');
}
