/** A model's reply without the fences and labels that models put around what was asked for. */
export function replyBody(text: string): string {
  const answer = withoutThoughts(text);
  const fenced = /```[^\n`]*\n([\s\S]*?)(?:```|$)/u.exec(answer)?.[1];
  return (fenced ?? answer).toWellFormed().trim().replace(LABEL, '').trim();
}

/** Without what a model thought aloud before its answer. */
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

/** Without list marks, quotes and emphasis around it. */
export function bareName(text: string): string {
  return withoutMarks(text.trim().replace(/^(?:[-*•]|\d{1,3}[.)])\s+/u, ''));
}

/**
 * Without quotes and emphasis around it: those that belong together, and one that has lost its partner where a list
 * was split. What only begins or ends with such a mark keeps it: `"Weird Al" Yankovic`, `'Salem's Lot`, `*NSYNC`.
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

/** Takes off the full stop of a sentence, and leaves that of `Inc.`. */
export function withoutFullStop(name: string): string {
  if (!name.endsWith('.') || name.indexOf('.') < name.length - 1) return name;
  return /(?:^|[\s,])(?:inc|ltd|corp|co|jr|sr|st|dr|\p{Lu})\.$/iu.test(name) ? name : name.slice(0, -1);
}

/** Puts `Inc.` back behind the name that the comma before it was part of. */
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
 * The value of the first list or object of a JSON reply; undefined where there is none. Forgives words around it,
 * commas before a closing bracket, and an end that is missing: what was complete before it counts.
 */
export function lenientJSON(body: string): unknown {
  const start = body.search(/\[\s*[[{"]|\{\s*"|^\[/u);
  if (start < 0) return undefined;
  const part = jsonPart(body.slice(start));
  for (const candidate of [part, part.replaceAll(/,(?=\s*[\]}])/gu, '')]) {
    try {
      return JSON.parse(candidate) as unknown;
    } catch {
      // The next candidate may do.
    }
  }
  return undefined;
}

/** Cuts behind the bracket that closes the first one; where none does, behind the last that closes, and closes all. */
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

/** An apostrophe and a star may be part of a name; the other marks come in pairs. */
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
/** `**"Sam"**` and a spare. */
const MAX_LAYERS = 3;
/** No reply that was asked for is nested deeper. */
const MAX_DEPTH = 8;
/** No name is longer with all its suffixes. */
const MAX_JOINED = 500;
// One that is not closed never came to an answer.
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
