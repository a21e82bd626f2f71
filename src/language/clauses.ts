import { fold } from './fold.ts';
import { isQuestion, sentencesIn, type Span } from './sentences.ts';
import { hasWord } from './words/life-words.ts';
import { regex } from './words/lists.ts';

/** A clause of a text. `text` is exactly what is between `start` and `end`, in UTF-16 code units. */
export interface Clause {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Whether the sentence of the clause ends with a question mark. */
  readonly isAsked: boolean;
}

/** Longer clauses are split before a conjunction with a subject, and then at commas. */
const LONG_CLAUSE_WORDS = 16;
/** Minimum number of words on either side of a split, since fewer are not a clause. */
const MIN_WORDS = 3;

/**
 * Splits a text into clauses, even if it has no punctuation: at sentence ends, line breaks, emoji and fillers such as
 * "lol" and "btw", at commas before a new subject, and, in long clauses, before "and", "but", "so" or "who" with a
 * subject. Fillers and text between two clauses are dropped.
 */
export function splitClauses(text: string): Clause[] {
  const clauses: Clause[] = [];
  const sentences = sentencesIn(text).flatMap(({ start, end }) => cutAt(text, start, end, BREAK));
  for (const { start, end } of sentences) {
    const isAsked = isQuestion(text.slice(start, end));
    const asked = isAsked || REQUESTED.test(text.slice(start, end)) ? questionIn(text, { start, end }) : end;
    const parts = [
      { start, end: asked },
      { start: asked, end },
    ].flatMap((part) => cutAt(text, part.start, part.end, FILLER));
    for (const part of parts) {
      for (const piece of cutBehindRequest(text, part).flatMap((each) => cutBeforeSubjects(text, each))) {
        const trimmed = trim(text, piece);
        if (!trimmed) continue;
        const isOfQuestion = isAsked && (asked === end || trimmed.start >= asked);
        clauses.push({ text: text.slice(trimmed.start, trimmed.end), ...trimmed, isAsked: isOfQuestion });
      }
    }
  }
  return clauses;
}

/**
 * Returns where in a sentence that asks the question begins, if a statement stands before it: "mi gata no come, ¿qué hago?". The
 * end of the sentence if there is none.
 */
function questionIn(text: string, { start, end }: Span): number {
  const said = text.slice(start, end);
  const match = QUESTION_BEHIND.exec(said);
  if (!match) return end;
  const at = start + match.index + match[0].length;
  return countWords(text, { start, end: at }) < MIN_WORDS ? end : at;
}

/** A comma, and behind it what a question begins with or, in Chinese and Japanese, has up to its end. */
const QUESTION_BEHIND = regex(
  String.raw`[,;]\s+(?=(?:(?:y|e|ma|mas|pero|en|maar|entonces|então|allora) )?(?:¿|(?:qué|cómo|cuál(?:es)?|cuándo|d[oó]nde|cu[aá]nt[oa]s?|quién|por qué|algún|alguna|che(?! (?:mi|ti|ci|vi|si|non) )|cosa|quale?|quali|quant[aeio]s?|dove|o que|quais|wat|hoe|waar|welke?|wanneer)(?!\p{L})))
    [,;]\s+(?=(?:que|c[oó]mo|cual|cuando|come|quando|ideas?|tips?|consejos?|dicas|consigli|alguma?|me|sabes|sabe|sai|puedes?|puedo|podr[ií]as?|pode|posso|puoi|hay|tem|será)\s[^,;]*$)
    [，,、](?=[^，,、。]*(?:[吗嗎呢么麼啥怎哪谁誰何]|多少|[几幾]|どう|どこ|いつ|ますか|ですか|の[？?]|[いな]い[？?]|教えて|ください|下さい|[帮幫][我忙]|推[荐薦])[^，,、。]*$)`,
  'iu',
);
/** Ends of Chinese and Japanese sentences that request something. */
const REQUESTED =
  /(?:教えて|ください|下さい)[。！!\s]*$|[，,](?:[请請]?[帮幫]我|[给給]我|推[荐薦])[^，,、。]*$/u;

/** Marks that end a clause within a sentence. */
const BREAK =
  /\s[-–—]+\s|[;；]\s?|\p{Extended_Pictographic}(?:\p{Extended_Pictographic}|\p{EMod}|\u200d|\ufe0f|\s)*/gu;

const FILLER =
  /(?<![\p{L}\p{N}])(?:lol|lmao|haha+|hehe+|btw|tbh|omg|ngl|fyi|by the way|to be honest|anyways?|übrigens|por cierto|au fait|aliás)(?![\p{L}\p{N}])[\s,.…:]*/giu;

const SUBJECT = String.raw`(?:i|i'?m|i'?ve|i'?d|i'?ll|im|ive|we|we'?re|we'?ve|he|he'?s|she|she'?s|it|it'?s|its|they|they'?re|you|my|our|his|her|their|the|there|this|that|no|not|dont|don'?t|now|ich|wir|er|sie|es|mein\w*|yo|mi|mis|él|ella|no|je|j['’]\S+|on|il|elle|mon|ma|mes|eu|meu|minha|\p{Lu}\p{L}+)`;
const CONJUNCTION = String.raw`(?:and|but|so|because|cause|cuz|coz|bc|although|though|while|since|then|plus|und|aber|weil|denn|y|pero|porque|et|mais|parce|car|e|mas|which|who|where)`;

/** A comma before a clause with its own subject. */
const COMMA_SUBJECT = new RegExp(
  String.raw`,\s+(?=(?:${CONJUNCTION}\s+)?${SUBJECT}(?![\p{L}\p{N}])|${CONJUNCTION}\s)|[，、]`,
  'giu',
);
const CONJUNCTION_SUBJECT = new RegExp(
  // The lookbehind keeps a long run of spaces from being tried at each of them.
  String.raw`(?<!\s)\s+(?=${CONJUNCTION}\s+${SUBJECT}(?![\p{L}\p{N}]))|,\s+`,
  'giu',
);

function cutBeforeSubjects(text: string, part: Span): Span[] {
  if (countWords(text, part) <= LONG_CLAUSE_WORDS) return [part];
  const atCommas = joinShort(text, cutAt(text, part.start, part.end, COMMA_SUBJECT));
  return atCommas.flatMap((piece) =>
    countWords(text, piece) <= LONG_CLAUSE_WORDS
      ? [piece]
      : joinShort(text, cutAt(text, piece.start, piece.end, CONJUNCTION_SUBJECT)),
  );
}

/** The text after the colon of "translate this: …" is not part of the request. */
function cutBehindRequest(text: string, part: Span): Span[] {
  const colon = text.slice(part.start, part.end).search(/:\s|：/u);
  if (colon < 0) return [part];
  const head = text.slice(part.start, part.start + colon);
  if (!hasWord(fold(head), 'material')) return [part];
  const middle = part.start + colon + 1;
  return [
    { start: part.start, end: middle },
    { start: middle, end: part.end },
  ];
}

/** Splits at the matches of a pattern; each match belongs to the piece before it. */
function cutAt(text: string, start: number, end: number, pattern: RegExp): Span[] {
  const spans: Span[] = [];
  let from = start;
  for (const match of text.slice(start, end).matchAll(pattern)) {
    const to = start + match.index + match[0].length;
    if (to > from) spans.push({ start: from, end: to });
    from = to;
  }
  if (from < end) spans.push({ start: from, end });
  return spans;
}

/** Joins a piece that is too short for a clause with the one before it, or a short first one with the next. */
function joinShort(text: string, pieces: readonly Span[]): Span[] {
  const joined: Span[] = [];
  for (const piece of pieces) {
    const last = joined.at(-1);
    if (last && (countWords(text, piece) < MIN_WORDS || countWords(text, last) < MIN_WORDS)) {
      joined[joined.length - 1] = { start: last.start, end: piece.end };
    } else joined.push(piece);
  }
  return joined;
}

/** In scripts without spaces between words, two characters count as a word. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu;

function countWords(text: string, { start, end }: Span): number {
  const part = text.slice(start, end);
  const unspaced = part.match(UNSPACED)?.length ?? 0;
  return (part.replace(UNSPACED, ' ').match(/[\p{L}\p{N}'’]+/gu)?.length ?? 0) + unspaced / 2;
}

/** Trims spaces, separators and fillers; undefined if nothing else is left. */
function trim(text: string, { start, end }: Span): Span | undefined {
  const part = text.slice(start, end);
  const lead = /^(?:[\s,;:.…–—-]|\p{Extended_Pictographic}|\ufe0f|\u200d)*/u.exec(part)?.[0].length ?? 0;
  const body = part.slice(lead);
  const kept = body.replace(LAST_FILLER, '').replace(TRAILING, '');
  if (!/[\p{L}\p{N}]/u.test(kept)) return undefined;
  return { start: start + lead, end: start + lead + kept.length };
}

const MARK = String.raw`(?:[\s,;:，、–—-]|\p{Extended_Pictographic}|\p{EMod}|\ufe0f|\u200d)`;
const TRAILING = new RegExp(`(?<!${MARK})${MARK}+$`, 'u');
const LAST_FILLER =
  /(?<![\s,])[\s,]*(?<![\p{L}\p{N}])(?:lol|lmao|haha+|hehe+|btw|tbh|omg|ngl|fyi)[\s,.!…]*$/iu;
