/** Returns a reply of limited length, without the thinking that a model put before it. */
export function cleanReply(text: string): string {
  return withoutThoughts(text.slice(0, MAX_REPLY_CHARACTERS).toWellFormed());
}

/**
 * Returns the prose of a reply without a surrounding code fence or label, or undefined if it says that there is
 * nothing. A fence in the middle is part of the text.
 */
export function replyProse(text: string): string | undefined {
  const cleaned = cleanReply(text);
  const fenced = WHOLLY_FENCED.exec(cleaned)?.[1];
  const prose = (fenced ?? cleaned).trim().replace(SUMMARY_LABEL, '').trim();
  return isNone(prose) ? undefined : prose;
}

/** Whether a reply says that nothing has changed. */
export function isUnchanged(text: string): boolean {
  return /^[^\p{L}\p{N}]*unchanged[^\p{L}\p{N}]*$/iu.test(text.slice(0, 100));
}

/** Returns a model's reply of limited length, without the code fences and labels that models put around their answer. */
export function replyBody(text: string): string {
  const answer = cleanReply(text);
  const fenced = Array.from(answer.matchAll(/```[^\n`]*\n([\s\S]*?)(?:```|$)/gu), ([, inside]) => inside);
  return (fenced.length > 0 ? fenced.join('\n') : answer).trim().replace(LABEL, '').trim();
}

/** Whether a reply, or a part of one, says that there is nothing: `NONE`, `none.`, `[]`, `N/A`, … */
export function isNone(text: string): boolean {
  const words = text.replaceAll(/[^\p{L}\p{N}/]+/gu, ' ').trim();
  return words === '' || NOTHING.test(words);
}

/** The mark of a list entry. */
export const LIST_MARK: RegExp = /^(?:[-*•]|\d{1,3}[.)])\s+/u;

/**
 * Removes quotes and emphasis around a text: matching pairs, and single marks whose partner was lost when a list was
 * split. Marks that belong to the name stay: `"Weird Al" Yankovic`, `'Salem's Lot`, `*NSYNC`.
 */
export function withoutMarks(text: string): string {
  let bare = text.trim();
  for (let layer = 0; layer < MAX_LAYERS; layer++) {
    const inner = withoutPair(bare) ?? withoutStray(bare);
    if (inner === undefined) break;
    bare = inner.trim();
  }
  return bare.replaceAll(/\s+/gu, ' ');
}

/** Removes the full stop of a sentence, but not that of `Inc.`. */
export function withoutFullStop(name: string): string {
  if (!name.endsWith('.') || name.indexOf('.') < name.length - 1) return name;
  return /(?:^|[\s,])(?:inc|ltd|corp|co|jr|sr|st|dr|\p{Lu})\.$/iu.test(name) ? name : name.slice(0, -1);
}

/** Joins `Inc.` with the name before the comma. */
export function joinSuffixes(parts: readonly string[]): string[] {
  const joined: string[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (last !== undefined && last.trim() !== '' && last.length < MAX_JOINED && SUFFIX.test(part.trim())) {
      joined[joined.length - 1] = `${last.trimEnd()}, ${part.trim()}`;
    } else joined.push(part);
  }
  return joined;
}

/**
 * Returns the first array or object in a JSON reply, or undefined if there is none. Tolerates text around it,
 * trailing commas, line breaks and needless escapes in strings, and truncation: what was complete before the end is
 * kept.
 */
export function lenientJSON(body: string): unknown {
  const [first] = jsonParts(body);
  return first?.value;
}

/** An array or object in a reply. */
export interface JSONPart {
  /** Undefined if it cannot be parsed. */
  readonly value: unknown;
  /** The text of it that is not in `value`. */
  readonly unread: string;
  /** Whether the reply ends before it does, so that the rest is lost. */
  readonly isCut: boolean;
}

/** Yields the arrays and objects of a reply that are not part of another, as {@link lenientJSON} reads them. */
export function* jsonParts(body: string): Generator<JSONPart, void> {
  const starts = /\[\s*[[{"]|\{\s*"|^\[/gu;
  for (let start = starts.exec(body); start; start = starts.exec(body)) {
    const text = body.slice(start.index);
    const { end, closers, isCut } = jsonEnd(text);
    const value = parsed(text.slice(0, end) + closers);
    const size = isCut ? text.length : end;
    yield { value, unread: text.slice(value === undefined ? 0 : end, size), isCut };
    starts.lastIndex = start.index + size;
  }
}

function parsed(json: string): unknown {
  let candidate = '';
  for (const repair of REPAIRS) {
    const before = candidate;
    candidate = repair(candidate || json);
    if (candidate === before) continue;
    try {
      return JSON.parse(candidate) as unknown;
    } catch {
      // The next candidate may parse.
    }
  }
  return undefined;
}

/** Escapes control characters in strings, and removes backslashes that JSON does not have, as before an apostrophe. */
function withEscapes(json: string): string {
  const escape = (character: string): string => JSON.stringify(character).slice(1, -1);
  return json.replaceAll(JSON_TOKENS, (token) =>
    token.replaceAll(/\\(.)|\p{Cc}/gsu, (found, escaped?: string) =>
      escaped === undefined ? escape(found) : '"\\/bfnrtu'.includes(escaped) ? found : escape(escaped),
    ),
  );
}

/**
 * Finds the bracket that closes the first one. If it is never closed, finds the end of the last complete value, and the
 * brackets that are open there.
 */
function jsonEnd(text: string): { end: number; closers: string; isCut: boolean } {
  const open: string[] = [];
  let complete = { end: 0, closers: '' };
  for (const { 0: token, index } of text.matchAll(JSON_TOKENS)) {
    if (token === '[') open.push(']');
    else if (token === '{') open.push('}');
    else if (token === ']' || token === '}') {
      open.pop();
      if (open.length === 0) return { end: index + 1, closers: '', isCut: false };
      if (open.length <= MAX_DEPTH) complete = { end: index + 1, closers: open.toReversed().join('') };
    }
  }
  return { ...complete, isCut: true };
}

/** Matches strings, closed or not, and brackets outside of strings. */
const JSON_TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"?|[[\]{}]/gsu;

/** What is tried in turn on JSON that cannot be parsed. */
const REPAIRS: readonly ((json: string) => string)[] = [
  (json) => json,
  (json) => json.replaceAll(/,(?=\s*[\]}])/gu, ''),
  // Quotation marks inside a string, but not where a comma is missing. The lookbehinds stand after the mark, so that they
  // are tried at marks only.
  (json) => json.replaceAll(/"(?<!\\"|[[{,:"]\s*")(?!\s*[\],:}"])/gu, '\\"'),
  withEscapes,
];

function withoutThoughts(text: string): string {
  return text.trim().replace(THOUGHTS, '').trim();
}

function withoutPair(text: string): string | undefined {
  for (const [open, close] of Object.entries(MARKS)) {
    if (!text.startsWith(open) || !text.endsWith(close)) continue;
    const inner = text.slice(open.length, -close.length);
    const isOne = open === "'" || open === '‘' || !(inner.includes(open) || inner.includes(close));
    if (inner.trim() !== '' && isOne) return inner;
  }
  return undefined;
}

/** Apostrophes and asterisks can belong to a name; the other marks come in pairs. */
function withoutStray(text: string): string | undefined {
  const stray = STRAY_MARKS.find((mark) => text.split(mark, 3).length === 2);
  if (stray === undefined || text.length === stray.length) return undefined;
  if (text.startsWith(stray)) return text.slice(stray.length);
  return text.endsWith(stray) ? text.slice(0, -stray.length) : undefined;
}

/** Longer replies are truncated, in UTF-16 code units; no expected reply is this long. */
const MAX_REPLY_CHARACTERS = 200_000;
const MARKS = { '**': '**', '*': '*', '`': '`', '"': '"', "'": "'", '“': '”', '‘': '’', '«': '»' };
const STRAY_MARKS = ['"', '`'];
/** Enough for `**"Sam"**` and one more. */
const MAX_LAYERS = 3;
/** No expected reply is nested deeper. */
const MAX_DEPTH = 8;
/** No name with all its suffixes is longer. */
const MAX_JOINED = 500;
// A thinking block that is never closed has no answer after it.
const THOUGHTS = /^<(think|thinking|thought|reasoning)>[\s\S]*?(?:<\/\1>|$)/iu;
const LABEL = /^(?:output|answer|result|entities|names|(?:knowledge )?triples?|triplets?|facts)\s*:/iu;
const WHOLLY_FENCED = /^```[^\n`]*\n((?:(?!```)[\s\S])*)(?:```)?$/u;
const SUMMARY_LABEL = /^(?:\*\*|#+\s)?(?:(?:new|updated|current|running)\s+)?summary(?:\*\*)?\s*:(?:\*\*)?/iu;
const NOTHING = /^(?:none|nothing|null|nil|n\/a|na|no (?:entities|triples|facts))$/i;
const SUFFIX = /^(?:inc|ltd|llc|corp|co|jr|sr|ph\.?d|m\.?d|esq|s\.a|gmbh)\.?$/iu;
