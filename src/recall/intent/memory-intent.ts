import type { GateScore } from '../gate/score-question.ts';
import { CLOSING, INTENT_PATTERNS, OPENING, REQUEST, type AskedOfMemory } from './intent-patterns.ts';

/** What somebody wants of the memory itself, rather than of the assistant. */
export interface MemoryIntent {
  /**
   * `forget`: something is to be forgotten. `remember`: something is to be kept. `what-do-you-know`: the person wants to
   * see what is kept. `none`: all else, questions that memory answers included.
   */
  readonly kind: AskedOfMemory | 'none';
  /** The words behind the request, as they were written: `I lived in Rome`. Absent where there are none. */
  readonly about?: string;
}

/**
 * What the gate says where somebody asks for nothing but to forget or to keep something: nothing is recalled, whatever
 * memory holds. Undefined for all else.
 */
export function quietFor({ kind }: MemoryIntent): GateScore | undefined {
  switch (kind) {
    case 'forget':
      return { score: 0, decision: 'quiet', why: { asksToForget: -1 } };
    case 'remember':
      return { score: 0, decision: 'quiet', why: { asksToRemember: -1 } };
    case 'what-do-you-know':
    case 'none':
      return undefined;
  }
}

const NONE: MemoryIntent = { kind: 'none' };

/** Longer messages are texts that may hold a request, and are none. In UTF-16 units. */
const MAX_CHARACTERS = 400;

/**
 * Reads what a message wants of the memory, by rules for English, German, Spanish, French, Portuguese, Chinese and
 * Japanese. In doubt it is `none`: a request that is missed is answered by the assistant, one that was none is annoying.
 */
export function memoryIntent(message: string): MemoryIntent {
  const text = message.normalize('NFC').replaceAll('’', "'").trim();
  if (text === '' || text.length > MAX_CHARACTERS) return NONE;
  for (const start of sentenceStarts(text)) {
    const intent = intentOf(text.slice(start), text);
    if (intent.kind !== 'none') return intent;
  }
  return NONE;
}

/** The beginning, and behind each end of a sentence: a request may come after its reason. */
function sentenceStarts(text: string): number[] {
  return [
    0,
    ...Array.from(
      text.matchAll(/[.!?…]\s+(?=\S)|[。！？\n]\s*(?=\S)/gu),
      ({ 0: end, index }) => index + end.length,
    ),
  ];
}

function intentOf(sentence: string, whole: string): MemoryIntent {
  const { text, isAsked } = withoutFrame(sentence);
  const folded = foldLetters(text);
  // Who asks something besides is to get an answer, and "remember Rome?" is a question.
  const marks = whole.match(/[?？]/gu)?.length ?? 0;
  const isQuestion = marks > 1 || (marks === 1 && !(isAsked && /[?？]\W*$/u.test(whole)));
  for (const { kind, patterns, isRequest, needsRequest } of INTENT_PATTERNS) {
    if (needsRequest && !isAsked) continue;
    if (kind !== 'what-do-you-know' && isQuestion && !(isRequest && marks === 1)) continue;
    const match = patterns.map((pattern) => pattern.exec(folded)).find((each) => each !== null);
    if (!match) continue;
    const [start, end] = match.indices?.groups?.['about'] ?? [0, 0];
    const about = trimmed(text.slice(start, end));
    return about === '' ? { kind } : { kind, about };
  }
  return NONE;
}

/** Takes politeness off, and says whether the text asks for something: "could you please". */
function withoutFrame(sentence: string): { text: string; isAsked: boolean } {
  let text = sentence.replace(/^[\s¿¡"“„«(]+/u, '');
  let isAsked = false;
  for (let parts = 0; parts < MAX_FRAMES; parts++) {
    const folded = foldLetters(text);
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
  const closing = CLOSING.exec(foldLetters(end));
  return closing ? withoutClosing(end.slice(0, closing.index)) : end;
}

const END_MARKS = /[\s.!?…,;:。！？，、"”»)]+$/u;

function trimmed(about: string): string {
  return about.replace(/^[\s:,，、：–—"“„«-]+/u, '').replace(END_MARKS, '');
}

/** Lower case, Latin letters without marks; every character stays in its place. */
function foldLetters(text: string): string {
  return text.replaceAll(/\p{L}/gu, (letter) => {
    const lower = letter.toLowerCase();
    const plain = /\p{Script=Latin}/u.test(lower) ? (lower.normalize('NFD')[0] ?? lower) : lower;
    return plain.length === letter.length ? plain : letter;
  });
}
