/** Returns a model's reply without the code fences and labels that models put around their answer. */
export function replyBody(text: string): string {
  const answer = withoutThoughts(text);
  const fenced = /```[^\n`]*\n([\s\S]*?)(?:```|$)/u.exec(answer)?.[1];
  return (fenced ?? answer).toWellFormed().trim().replace(LABEL, '').trim();
}

/** Removes the thinking that a model put before its answer. */
export function withoutThoughts(text: string): string {
  return text.trim().replace(THOUGHTS, '').trim();
}

/** Whether a reply, or a part of one, says that there is nothing: `NONE`, `none.`, `[]`, `N/A`, … */
export function isNone(text: string): boolean {
  const words = text
    .replaceAll(/[^\p{L}\p{N}/]+/gu, ' ')
    .trim()
    .toLowerCase();
  return words === '' || NOTHING.has(words);
}

/** Removes list marks, quotes and emphasis around a name. */
export function bareName(text: string): string {
  return withoutMarks(text.trim().replace(/^(?:[-*•]|\d{1,3}[.)])\s+/u, ''));
}

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
 * trailing commas, and truncation: what was complete before the end is kept.
 */
export function lenientJSON(body: string): unknown {
  const start = body.search(/\[\s*[[{"]|\{\s*"|^\[/u);
  if (start < 0) return undefined;
  const part = jsonPart(body.slice(start));
  for (const candidate of [part, part.replaceAll(/,(?=\s*[\]}])/gu, '')]) {
    try {
      return JSON.parse(candidate) as unknown;
    } catch {
      // The next candidate may parse.
    }
  }
  return undefined;
}

/**
 * Cuts after the bracket that closes the first one. If it is never closed, cuts after the last complete value and
 * closes the open brackets.
 */
function jsonPart(text: string): string {
  const open: string[] = [];
  let isQuoted = false;
  let complete = { end: 0, closers: '' };
  for (let index = 0; index < text.length; index++) {
    const character = text.charAt(index);
    if (isQuoted) {
      if (character === '\\') index++;
      else if (character === '"') isQuoted = false;
    } else if (character === '"') isQuoted = true;
    else if (character === '[') open.push(']');
    else if (character === '{') open.push('}');
    else if (character === ']' || character === '}') {
      open.pop();
      if (open.length === 0) return text.slice(0, index + 1);
      if (open.length <= MAX_DEPTH) complete = { end: index + 1, closers: open.toReversed().join('') };
    }
  }
  return text.slice(0, complete.end) + complete.closers;
}

function withoutPair(text: string): string | undefined {
  for (const [open, close] of MARKS) {
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

const MARKS = [
  ['**', '**'],
  ['*', '*'],
  ['`', '`'],
  ['"', '"'],
  ["'", "'"],
  ['“', '”'],
  ['‘', '’'],
  ['«', '»'],
] as const;
const STRAY_MARKS = ['"', '`'] as const;
/** Enough for `**"Sam"**` and one more. */
const MAX_LAYERS = 3;
/** No expected reply is nested deeper. */
const MAX_DEPTH = 8;
/** No name with all its suffixes is longer. */
const MAX_JOINED = 500;
// A thinking block that is never closed has no answer after it.
const THOUGHTS = /^<(think|thinking|thought|reasoning)>[\s\S]*?(?:<\/\1>|$)/iu;
const LABEL = /^(?:output|answer|result|entities|names|(?:knowledge )?triples?|triplets?|facts)\s*:/iu;
const NOTHING = new Set([
  'none',
  'nothing',
  'null',
  'nil',
  'n/a',
  'na',
  'no entities',
  'no triples',
  'no facts',
]);
const SUFFIX = /^(?:inc|ltd|llc|corp|co|jr|sr|ph\.?d|m\.?d|esq|s\.a|gmbh)\.?$/iu;
