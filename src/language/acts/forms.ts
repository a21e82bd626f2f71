import { fromFirstToLast, type Line, type Span } from '../text-spans.ts';
import { regex } from '../words/lists.ts';
import { conversations, labelled, NICK } from './conversations.ts';
import { BEGINS_FIRST_PERSON } from './first-person.ts';

/**
 * Returns the parts of a text that have the form of a copy rather than of something typed to an assistant: a web page, a
 * mail, a log, a job advert, code, a table, subtitles, a play, a chat with names and times, verse. Spans may overlap.
 */
export function copiedForms(text: string, lines: readonly Line[], userName: string | undefined): Span[] {
  return [
    markup(text),
    mail(lines),
    matching(lines, (line) => LOG_LINE.test(line), 2),
    ...conversations(lines, userName),
    table(lines),
    advert(lines),
    page(lines),
    matching(lines, isCode, 2),
    bilingual(text),
    ...commented(lines),
  ].filter((span) => span !== undefined);
}

/**
 * Returns the parts whose form is that of a copy, but that people also give to their own: below a heading, behind a label,
 * in verse.
 */
export function unusualForms(lines: readonly Line[], userName: string | undefined): Span[] {
  return [labelled(lines, userName), headed(lines), verse(lines)].filter((span) => span !== undefined);
}

/** A whole text in two versions: "Ich wohne hier = I live here". */
function bilingual(text: string): Span | undefined {
  const isPair = /^\s*(?:\S+ ){2,}\S+ [=/] (?:\S+ ){2,}\S+\s*$/u.test(text) && BEGINS_FIRST_PERSON.test(text);
  return isPair ? { start: 0, end: text.length } : undefined;
}

/** Returns the whole text if it has words or signs that stand only in what was copied. */
export function copied(text: string): Span[] {
  return COPIED.test(text) ? [{ start: 0, end: text.length }] : [];
}

const COPIED = regex(
  String.raw`(?<![\p{L}])\bRT if\b|★{2,}|☆|#[\p{L}]{3,}\s{1,3}(?:RT|#[\p{L}])|♪|\[(?:verse|chorus|bridge|intro|outro|laughter|inaudible|applause|music|crosstalk|pause)(?: \d+)?\]|\bswipe (?:right|left)\b
    \border now\b|\b\d+\+? connections\b|\bpage \d+ of \d+\b|_{3,}|\(copied from\b|\bcopied from (?:a|the|his|her|their)\b|\bskip navigation\b|\bhelpful\?\s{1,3}yes\b|👍 ?\d+|\b(?:upvote|reply)s?[^\S\n]{0,8}$
    ^[^\S\n]{0,8}(?:fwd?|wg|tr|rv):|\bforwarded (?:from|message)\b|\bsigned,|\b(?:INT|EXT)\. |\bWEBVTT\b|-->|\bflash ?cards?\b|^[^\S\n]{0,8}exercise \d|\bposted by\b|\b(?:on|am) .{4,40} (?:wrote|schrieb)(?: .{0,60})?:
    \[[A-Z][A-Z ]{2,}\]|^commit [0-9a-f]{6,}|^<\p{L}+>(?!\s)
    ^[^\S\n]{0,8}you are an? (?:helpful|assistant|ai|\p{L}+ assistant)\b|\bthe user (?:lives|works|is|has)\b|^[^\S\n]{0,8}\*[^*\n]{1,80}\*\s{1,3}\S`,
  'imu',
);

/** Lines behind the marks of comments: `# …`, `// …`, `-- …`, if code or another such line is near. */
function commented(lines: readonly Line[]): Span[] {
  const comments = lines.filter(({ text }) => /^\s*(?:#(?!#)|\/\/|--|\/\*|\*)\s+\S/u.test(text));
  return comments.length > 1 || (comments.length === 1 && lines.length > 1)
    ? comments.filter(({ text }) => !/^\s*\*/u.test(text)).map(({ start, end }) => ({ start, end }))
    : [];
}

/** Returns what stands below a first line that is a title: without a full stop, a verb in the first person or a request. */
function headed(lines: readonly Line[]): Span | undefined {
  const [first, second] = lines.filter(({ text }) => text.trim() !== '');
  const last = lines.at(-1);
  if (!first || !second || !last) return undefined;
  const isTitle = TITLE.test(first.text.trim()) && !TO_THE_ASSISTANT.test(first.text);
  return isTitle || MARKDOWN_HEADING.test(first.text) ? { start: second.start, end: last.end } : undefined;
}

const MARKDOWN_HEADING = /^\s{0,3}#{1,6}\s+\S/u;
const TITLE = /^(?=[\p{Lu}#[(*])[\p{L}\p{N} ,.|'’"()#@&•/:-]{2,80}$/u;
const TO_THE_ASSISTANT = regex(
  String.raw`[.?!…:]\s*$|(?<![\p{L}'])(?:i|i'm|im|i've|my|me|we|our|you|your|hi|hello|hey|hiya|ok|okay|thanks?|thank|please|pls|yes|no|yeah|good|so|and|but|also|update|edit|fyi|btw|note|what|how|why|when|where|who|which|can|could|should|would|will|is|are|do|does|did|need|help|want|make|write|give|tell|show|find|plan|explain|just|got|had|been|not|don'?t|ich|mein\w*|wir|hallo|guten|bitte|danke|ja|nein|und|hola|gracias|buen[oa]s|yo|mi|bonjour|salut|merci|je|mon|ma|oi|olá|obrigad[oa]|eu|meu|minha)(?![\p{L}'])
    ^[^\p{Lu}]*$`,
  'iu',
);

/** Three or more short lines without full stops, the first of them in the first person: a poem or a song. */
function verse(lines: readonly Line[]): Span | undefined {
  const written = lines.filter(({ text }) => text.trim() !== '');
  const isVerse =
    written.length >= 3 &&
    written.every(
      ({ text }) => /^\s*\p{L}/u.test(text) && text.trim().length < 60 && !/[.?!:]\s*$/u.test(text),
    ) &&
    written.filter(({ text }) => BEGINS_FIRST_PERSON.test(text)).length * 2 >= written.length - 1 &&
    written.some(({ text }) =>
      /^\s*(?:and|where|until|when|under|beneath|oh|o|like|as|till|while|through)\b/iu.test(text),
    );
  return isVerse ? fromFirstToLast(written, 3) : undefined;
}

const NICK_LINE = new RegExp(NICK, 'imu');
const TAG = /<\/?[a-z][\w-]*(?:\s[^<>]*)?\/?>/giu;

/** Returns the text from the first tag to the last, if there are at least two. */
function markup(text: string): Span | undefined {
  const tags = Array.from(text.matchAll(TAG));
  const [first] = tags;
  const last = tags.at(-1);
  // Nicks of a chat ("<ola> hi") have no slash and no attribute.
  const isChat = NICK_LINE.test(text) && !tags.some(([tag]) => /[/=]/u.test(tag));
  if (!first || !last || first === last || isChat) return undefined;
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
  const to = lines.findLastIndex((line) => SIGN_OFF.test(line.text));
  const from = lines.findIndex((line, at) => SALUTATION.test(line.text) && (at > 0 || isNamed(line.text)));
  if (from < 0 || to < from) return undefined;
  return { start: lines[from]?.start ?? 0, end: lines[Math.min(to + 1, lines.length - 1)]?.end ?? end };
}

/** Whether a salutation names somebody, as people greet an assistant without a name. */
function isNamed(salutation: string): boolean {
  return /^\s*\p{L}+\s+(?!there\b|all\b|again\b|chat|assistant\b|claude\b|gpt\b)\p{L}/iu.test(salutation);
}

const LOG_LINE =
  /^\s*\[?(?:\p{Lu}\p{Ll}{2} \d{1,2} \d\d:\d\d|\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\d\d:\d\d:\d\d|(?:DEBUG|INFO|WARN(?:ING)?|ERROR|FATAL|TRACE)\b|at \S+ ?\(|Traceback |File ")/u;

/** Returns a table of comma-separated values, from its header on. */
function table(lines: readonly Line[]): Span | undefined {
  const header = lines.find(({ text }) => /^\w+(?:[,;]\w+)+$/u.test(text.trim()));
  const last = lines.findLast(({ text }) => header !== undefined && /[,;]/u.test(text) && text.trim() !== '');
  return header && last && last.start > header.start ? { start: header.start, end: last.end } : undefined;
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
