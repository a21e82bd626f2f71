/** A part of a text, from `start` up to `end` (exclusive), in UTF-16 units. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * Returns the parts of a text that look pasted rather than typed: a web page, a mail, a log, a job advert, code, or
 * the text behind a request to work on it. Spans may overlap. Pasted text without any of these shapes is not
 * detected.
 */
export function pastedSpans(text: string): Span[] {
  const lines = linesOf(text);
  return [
    behindRequest(text),
    markup(text),
    mail(lines),
    log(lines),
    dialogue(lines),
    advert(lines),
    page(lines),
    code(lines),
  ].filter((span) => span !== undefined);
}

interface Line extends Span {
  readonly text: string;
}

/** Longest request in front of a pasted text, in UTF-16 units. */
const MAX_REQUEST_CHARACTERS = 200;

const WORK_ON =
  /\b(?:translate|proof-?read|rewrite|rephrase|reword|summari[sz]e|sum up|shorten|paraphrase|correct|edit|fix|simplify|classify|extract|review (?:this|these|the|it|my)|analy[sz]e (?:this|these|the|it|my)|reply to|respond to|answer (?:this|it|her|him|them)|tl;?dr|grammar|feedback on|thoughts on|what (?:do|should|can) i (?:say|tell|reply|answer|write back)|what does (?:this|it|he|she|that) (?:mean|say|want)|is (?:this|it) (?:a )?(?:scam|legit|real|spam|true)|übersetz\w*|korrigier\w*|fasse?\b.*\bzusammen|kürz\w*|verbesser\w*|traduc\w+|tradu[zc]\w*|corrig\w+|resum\w+|traduis\w*|résum\w+|reformul\w+)\b|翻译|润色|总结|修改|訳して|翻訳|要約|添削/iu;
const PASTED_THING =
  /\b(?:e-?mails?|mails?|messages?|letters?|web ?pages?|pages?|articles?|ads?|adverts?|job (?:offer|posting|ad|advert|description)|postings?|logs?|errors?|stack ?trace|output|transcripts?|contracts?|clauses?|paragraphs?|passages?|lyrics|tweets?|threads?|comments?|announcements?|reports?|snippets?|quotes?|invitations?|reviews?|stellenanzeige|nachricht|artikel|anzeige|seite|correo|mensaje|carta|anuncio|página|courriel|lettre|annonce|page web|mensagem|anúncio)\b/iu;
const CAME_FROM =
  /\b(?:this|these|here'?s|here is|following|below|attached|got|received|found|sent|says?|said|wrote|posted|reads?|diese[rsn]?|hier|folgende\w*|bekam|bekommen|schrieb|este|esta|recibí|dice|ce|cette|voici|reçu|recebi|diz)\b/iu;

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
  const close = CLOSING_MARKS[text[start] ?? ''];
  const closed = close === undefined ? -1 : text.lastIndexOf(close);
  return { start, end: closed > start ? closed + 1 : text.length };
}

const CLOSING_MARKS: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  '“': '”',
  '„': '“',
  '‘': '’',
  '«': '»',
  '「': '」',
};

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
const SIGN_OFF =
  /^\s*(?:(?:best|kind|warm)(?:est)? (?:regards|wishes)|regards|sincerely|yours(?: \w+)?|best|cheers|love|mit freundlichen grüßen|viele grüße|liebe grüße|un saludo|saludos|atentamente|cordialement|bien à vous|atenciosamente|abraços)\s*[,!.]?\s*$/iu;

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

function log(lines: readonly Line[]): Span | undefined {
  return fromFirstToLast(
    lines.filter((line) => LOG_LINE.test(line.text)),
    2,
  );
}

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

const ADVERT =
  /\b(?:we(?:'re| are) (?:looking for|hiring|seeking)|join our|about (?:us|the role|you)|responsibilities|requirements|qualifications|what you(?:'ll| will) (?:do|bring)|apply (?:now|by|to|at|via)|salary range|wir (?:suchen|bieten)|ihr profil|deine aufgaben|buscamos|ofrecemos|nous recherchons|votre profil|procuramos)\b/iu;

function advert(lines: readonly Line[]): Span | undefined {
  const found = lines.filter((line) => ADVERT.test(line.text));
  const marks = found.flatMap((line) => line.text.match(new RegExp(ADVERT, 'giu')) ?? []);
  return marks.length < 2 ? undefined : fromFirstToLast(found, 1);
}

const PAGE =
  /\b(?:all rights reserved|privacy policy|terms of (?:use|service)|cookies?\b.*\b(?:accept|use|policy|settings)|subscribe (?:now|to our)|sign up for our|click here|read more$|table of contents|last updated|skip to (?:main )?content|alle rechte vorbehalten|datenschutz|impressum|aviso legal|política de privacidad|mentions légales)\b|©/iu;

/**
 * Returns the whole text around the typical words of a web page, because its other lines have none; a first line
 * without such words is left out.
 */
function page(lines: readonly Line[]): Span | undefined {
  if (!lines.some((line) => PAGE.test(line.text))) return undefined;
  const [first, second] = lines.filter((line) => line.text.trim() !== '');
  const start = first && second && !PAGE.test(first.text) ? second.start : (first?.start ?? 0);
  return { start, end: lines.at(-1)?.end ?? 0 };
}

const CODE_LINE =
  /[;{}]\s*$|^\s*(?:import |from \S+ import |const |let |var |def |class |function |public |private |return\b|if \(|for \(|while \(|#include|package |SELECT |INSERT |UPDATE |CREATE )|=>|^\s*<\/?\w|\w\(.*\)\s*[;{:]?\s*$/u;

function code(lines: readonly Line[]): Span | undefined {
  return fromFirstToLast(
    lines.filter((line) => CODE_LINE.test(line.text)),
    2,
  );
}

function fromFirstToLast(found: readonly Line[], least: number): Span | undefined {
  const [first] = found;
  const last = found.at(-1);
  return first && last && found.length >= least ? { start: first.start, end: last.end } : undefined;
}

function linesOf(text: string): Line[] {
  let start = 0;
  return text.split('\n').map((line) => {
    const at = start;
    start += line.length + 1;
    return { text: line, start: at, end: at + line.length };
  });
}
