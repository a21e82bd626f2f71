import type { ChatMessage } from '../model/message.ts';
import { joined, linesOf, spanAt, spansInOrder, textBetween, type Line, type Span } from './text-spans.ts';
import { regex } from './words/lists.ts';

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
  const lines = linesOf(text);
  const quotations = Array.from(text.matchAll(QUOTATION), ({ 0: part, index }) => spanAt(index, part.length));
  const spans = [
    ...quotedSpans(text),
    ...quotations,
    ...betweenSingleQuotes(lines, quotations),
    ...pastedSpans(text, lines),
  ];
  return joined(spans).map(({ start, end }) => text.slice(start, end));
}

/**
 * Returns the parts of a user message that are not the user's own words: the whole text if another person wrote it,
 * if it was imported or if it is a document; otherwise the content parts marked as documents, and everything that
 * looks pasted.
 *
 * @param text text of the message, as far as it is read
 * @param userName name under which the user speaks; a message with any other name is another person's
 */
export function foreignParts(
  message: ChatMessage,
  text: string,
  userName: string | undefined,
): readonly string[] {
  if (message.role !== 'user') return [];
  const isOther = message.name !== undefined && message.name !== userName;
  if (isOther || message.origin !== undefined) return text === '' ? [] : [text];
  if (typeof message.content === 'string') return pastedParts(text);
  const documents = message.content.flatMap((part) =>
    part.type === 'text' && part['origin'] === 'document' ? [String(part['text'])] : [],
  );
  const spans = joined(spansInOrder(text, documents));
  return [
    ...spans.map(({ start, end }) => text.slice(start, end)),
    ...pastedParts(textBetween(text, spans, '\n\n')),
  ];
}

/** Returns the text with `mark` in place of each run of `>` lines and code fences. */
export function withoutQuotedLines(text: string, mark: string): string {
  const spans = joined(markedLines(text));
  return spans.length === 0 ? text : textBetween(text, spans, mark).trim();
}

/** A quotation cannot contain its own marks, so the text is scanned only once, however many marks it has. */
const QUOTATION = new RegExp(
  [
    `“[^“”]{${LONG_QUOTATION},}”`,
    `„[^„“”]{${LONG_QUOTATION},}[“”]`,
    `"[^"]{${LONG_QUOTATION},}"`,
    `«[^«»]{${LONG_QUOTATION},}»`,
    `‘[^‘]{${LONG_QUOTATION},}’(?![\\p{L}])`,
  ].join('|'),
  'gu',
);

const OPENING_QUOTE = /(?<![\p{L}\p{N}])'/gu;
const CLOSING_QUOTE = /'(?![\p{L}\p{N}])/gu;

/**
 * Returns the long quotations between single quotation marks: in each line from the first mark that can open one, and is
 * not in another quotation, to the last that can close it. If these two are too close, so are all others.
 */
function betweenSingleQuotes(lines: readonly Line[], quotations: readonly Span[]): Span[] {
  const others = quotations.values();
  let other = others.next().value;
  return lines.flatMap((line) => {
    const closing = Array.from(line.text.matchAll(CLOSING_QUOTE)).at(-1);
    for (const { index } of closing ? line.text.matchAll(OPENING_QUOTE) : []) {
      const start = line.start + index;
      while (other && other.end <= start) other = others.next().value;
      if (other && other.start <= start) continue;
      const end = line.start + (closing?.index ?? 0) + 1;
      return end - start - 2 >= LONG_QUOTATION ? [{ start, end }] : [];
    }
    return [];
  });
}

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

/**
 * Returns the parts of a text that look pasted rather than typed: a web page, a mail, a log, a job advert, code, or
 * the text behind a request to work on it. Spans may overlap. Pasted text without any of these shapes is not
 * detected.
 */
function pastedSpans(text: string, lines: readonly Line[]): Span[] {
  return [
    behindRequest(text),
    markup(text),
    mail(lines),
    matching(lines, (line) => LOG_LINE.test(line), 2),
    dialogue(lines),
    advert(lines),
    page(lines),
    matching(lines, isCode, 2),
  ].filter((span) => span !== undefined);
}

/** Longest request in front of a pasted text, in UTF-16 units. */
const MAX_REQUEST_CHARACTERS = 200;

const WORK_ON = regex(
  String.raw`\b(?:translate|proof-?read|rewrite|rephrase|reword|summari[sz]e|sum up|shorten|paraphrase|correct|edit
    fix|simplify|classify|extract|review (?:this|these|the|it|my)|analy[sz]e (?:this|these|the|it|my)
    reply to|respond to|answer (?:this|it|her|him|them)|tl;?dr|grammar|feedback on|thoughts on
    what (?:do|should|can) i (?:say|tell|reply|answer|write back)
    what does (?:this|it|he|she|that) (?:mean|say|want)|is (?:this|it) (?:a )?(?:scam|legit|real|spam|true)
    übersetz\w*|korrigier\w*|fasse?\b.{0,200}\bzusammen|kürz\w*|verbesser\w*|traduc\w+|tradu[zc]\w*
    corrig\w+|resum\w+|traduis\w*|résum\w+|reformul\w+)\b|翻译|润色|总结|修改|訳して|翻訳|要約|添削`,
  'iu',
);
const PASTED_THING = regex(
  String.raw`\b(?:e-?mails?|mails?|messages?|letters?|web ?pages?|pages?|articles?|ads?|adverts?
    job (?:offer|posting|ad|advert|description)|postings?|logs?|errors?|stack ?trace|output|transcripts?
    contracts?|clauses?|paragraphs?|passages?|lyrics|tweets?|threads?|comments?|announcements?|reports?
    snippets?|quotes?|invitations?|reviews?|stellenanzeige|nachricht|artikel|anzeige|seite|correo|mensaje
    carta|anuncio|página|courriel|lettre|annonce|page web|mensagem|anúncio)\b`,
  'iu',
);
const CAME_FROM = regex(
  String.raw`\b(?:this|these|here'?s|here is|following|below|attached|got|received|found|sent|says?|said|wrote|posted
    reads?|diese[rsn]?|hier|folgende\w*|bekam|bekommen|schrieb|este|esta|recibí|dice|ce|cette|voici|reçu
    recebi|diz)\b`,
  'iu',
);

const POINTS =
  /\b(?:this|these|below|following|attached|diese[rsn]?|dies|folgende\w*|est[ae]|cette|ce|voici|isso)\b|这|これ/iu;

/**
 * Returns everything behind the colon or line break of a request to work on a text ("Translate this:"), or of words
 * that say where the text comes from ("This mail came:").
 */
function behindRequest(text: string): Span | undefined {
  const end = /[:：](?=\s|["'“‘„«「])|\n/u.exec(text.slice(0, MAX_REQUEST_CHARACTERS))?.index;
  if (end === undefined) return undefined;
  const request = text.slice(0, end);
  if (!WORK_ON.test(request) && !(PASTED_THING.test(request) && CAME_FROM.test(request))) return undefined;
  // After a mere line break the text counts as pasted only if the request points at it, or begins with what to do.
  if (text[end] === '\n' && !POINTS.test(request) && request.trim().search(WORK_ON) !== 0) return undefined;
  const start = end + 1 + (/^\s*/u.exec(text.slice(end + 1))?.[0].length ?? 0);
  // Text in quotes or fences of its own is handled by its marks.
  if (start === text.length || /^(?:>|`{3}|~{3})/u.test(text.slice(start))) return undefined;
  const close = QUOTATION_MARKS.find(([open]) => open === text[start])?.[1];
  const closed = close === undefined ? -1 : text.lastIndexOf(close);
  return { start, end: closed > start ? closed + 1 : text.length };
}

/** Pairs of opening and closing quotation marks. */
const QUOTATION_MARKS: readonly string[] = ['""', "''", '“”', '„“', '‘’', '«»', '「」'];

const TAG = /<\/?[a-z][\w-]*(?:\s[^<>]*)?\/?>/giu;

/** Returns the text from the first tag to the last, if there are at least two. */
function markup(text: string): Span | undefined {
  const tags = Array.from(text.matchAll(TAG));
  const [first] = tags;
  const last = tags.at(-1);
  if (!first || !last || first === last) return undefined;
  return { start: first.index, end: last.index + last[0].length };
}

const MAIL_HEADER =
  /^\s*(?:from|to|cc|subject|date|sent|reply-to|von|an|betreff|gesendet|de|para|asunto|objet|assunto)\s*:\s*\S/iu;
const SALUTATION =
  /^\s*(?:dear|hi|hello|hey|liebe[rs]?|sehr geehrte\w*|hallo|estimad[ao]s?|querid[ao]s?|hola|cher|chère|bonjour|prezad[ao]s?|olá)\b[^.?!:\n]{0,60},?\s*$/iu;
const SIGN_OFF = regex(
  String.raw`^\s*(?:(?:best|kind|warm)(?:est)? (?:regards|wishes)|regards|sincerely|yours(?: \w+)?|best|cheers|love
    mit freundlichen grüßen|viele grüße|liebe grüße|un saludo|saludos|atentamente|cordialement|bien à vous
    atenciosamente|abraços)\s*[,!.]?\s*$`,
  'iu',
);

/**
 * Returns the text from the headers of a mail on, or from a salutation down to the name below its sign-off. A
 * salutation on the first line does not count: it greets the assistant.
 */
function mail(lines: readonly Line[]): Span | undefined {
  const end = lines.at(-1)?.end ?? 0;
  const headers = lines.filter((line) => MAIL_HEADER.test(line.text));
  if (headers.length > 1) return { start: headers[0]?.start ?? 0, end };
  const from = lines.findIndex((line, at) => at > 0 && SALUTATION.test(line.text));
  const to = lines.findLastIndex((line) => SIGN_OFF.test(line.text));
  if (from < 0 || to < from) return undefined;
  return { start: lines[from]?.start ?? 0, end: lines[Math.min(to + 1, lines.length - 1)]?.end ?? end };
}

const LOG_LINE =
  /^\s*\[?(?:\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\d\d:\d\d:\d\d|(?:DEBUG|INFO|WARN(?:ING)?|ERROR|FATAL|TRACE)\b|at \S+ ?\(|Traceback |File ")/u;

const LABEL = /^\s*(?:\[[^\]]{1,30}\]\s*)?([\p{L}][\p{L} .'-]{0,29}):\s/u;

/** Returns lines that begin with the name of a speaker, if there are two speakers and one of them speaks twice. */
function dialogue(lines: readonly Line[]): Span | undefined {
  const spoken = lines.flatMap((line) => {
    const speaker = LABEL.exec(line.text)?.[1];
    return speaker === undefined ? [] : [{ ...line, speaker }];
  });
  const speakers = new Set(spoken.map(({ speaker }) => speaker.toLowerCase()));
  return speakers.size > 1 && speakers.size < spoken.length ? fromFirstToLast(spoken, 3) : undefined;
}

const ADVERT = regex(
  String.raw`\b(?:we(?:'re| are) (?:looking for|hiring|seeking)|join our|about (?:us|the role|you)|responsibilities
    requirements|qualifications|what you(?:'ll| will) (?:do|bring)|apply (?:now|by|to|at|via)|salary range
    wir (?:suchen|bieten)|ihr profil|deine aufgaben|buscamos|ofrecemos|nous recherchons|votre profil
    procuramos)\b`,
  'iu',
);

function advert(lines: readonly Line[]): Span | undefined {
  const found = lines.filter((line) => ADVERT.test(line.text));
  const marks = found.flatMap((line) => line.text.match(new RegExp(ADVERT, 'giu')) ?? []);
  return marks.length < 2 ? undefined : fromFirstToLast(found, 1);
}

const PAGE = regex(
  String.raw`\b(?:all rights reserved|privacy policy|terms of (?:use|service)|subscribe (?:now|to our)
    sign up for our|click here|read more$|table of contents|last updated|skip to (?:main )?content
    alle rechte vorbehalten|datenschutz|impressum|aviso legal|política de privacidad|mentions légales)\b|©`,
  'iu',
);

const COOKIES = /\bcookies?\b/iu;
const COOKIE_NOTICE = /\b(?:accept|use|policy|settings)\b/iu;

/** Whether a line contains words of a web page. Two expressions, because one would read the line again from each `cookie`. */
function isOfPage(line: string): boolean {
  const cookies = line.search(COOKIES);
  return PAGE.test(line) || (cookies >= 0 && COOKIE_NOTICE.test(line.slice(cookies)));
}

/**
 * Returns the whole text around the typical words of a web page, because its other lines have none; a first line
 * without such words is left out.
 */
function page(lines: readonly Line[]): Span | undefined {
  if (!lines.some((line) => isOfPage(line.text))) return undefined;
  const [first, second] = lines.filter((line) => line.text.trim() !== '');
  const start = first && second && !isOfPage(first.text) ? second.start : (first?.start ?? 0);
  return { start, end: lines.at(-1)?.end ?? 0 };
}

const CODE_LINE =
  /[;{}]\s*$|^\s*(?:import |from \S+ import |const |let |var |def |class |function |public |private |return\b|if \(|for \(|while \(|#include|package |SELECT |INSERT |UPDATE |CREATE )|=>|^\s*<\/?\w/u;
const CALL = /\w\(/u;
const AFTER_CALL = /\)\s*[;{:]?$/u;

function isCode(line: string): boolean {
  return CODE_LINE.test(line) || (CALL.test(line) && AFTER_CALL.test(line.trimEnd()));
}

function matching(
  lines: readonly Line[],
  isMeant: (line: string) => boolean,
  least: number,
): Span | undefined {
  return fromFirstToLast(
    lines.filter((line) => isMeant(line.text)),
    least,
  );
}

function fromFirstToLast(found: readonly Line[], least: number): Span | undefined {
  const [first] = found;
  const last = found.at(-1);
  return first && last && found.length >= least ? { start: first.start, end: last.end } : undefined;
}
