import { decode, encode } from '@jridgewell/sourcemap-codec';
import { parseAst } from 'vite';

const NOT_ASCII = /[^\0-\x7f]+/gu;

/** Text that is put in place of the characters from `start` to `end`. */
interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * Writes a script without characters outside ASCII, which mean something else in a classic script on a page that does not
 * declare its charset.
 */
export function asciiScript(code: string): string {
  const replacements = replacementsIn(code);
  let at = 0;
  let text = '';
  for (const each of replacements) {
    text += code.slice(at, each.start) + each.text;
    at = each.end;
  }
  return text + code.slice(at);
}

/** The source map, as JSON, of the script that `asciiScript` makes of `code`, where `map` is the one of `code`. */
export function asciiSourceMap(code: string, map: string): string {
  const parsed = JSON.parse(map) as { mappings: string };
  const lines = decode(parsed.mappings);
  const replacements = replacementsIn(code);
  let start = 0;
  let next = 0;
  for (const [index, text] of code.split('\n').entries()) {
    let added = 0;
    for (const segment of lines[index] ?? []) {
      for (; startOf(replacements[next]) < start + segment[0]; next++) added += growth(replacements[next]);
      segment[0] += added;
    }
    start += text.length + 1;
    while (startOf(replacements[next]) < start) next++;
  }
  return JSON.stringify({ ...parsed, mappings: encode(lines) });
}

/**
 * An escape `\uXXXX` for each UTF-16 unit is the same in a string, a template, a regular expression of any flags and, but
 * for pairs of units, in a name. A tag sees the text of its template as it is written, and a value instead of it.
 */
function replacementsIn(code: string): Replacement[] {
  const tagged = taggedTexts(code);
  let next = 0;
  return [...code.matchAll(NOT_ASCII)].map(({ 0: characters, index }) => {
    const end = index + characters.length;
    while ((tagged[next]?.end ?? Infinity) <= index) next++;
    const isTagged = index >= (tagged[next]?.start ?? Infinity);
    // A backslash before them would become the escape of the backslash, or of the dollar sign, that takes their place.
    const backslash = backslashesBefore(code, index) % 2 === 1 ? '\\' : '';
    const text = isTagged ? `\${"${backslash}${backslash}${escaped(characters)}"}` : escaped(characters);
    return { start: index - backslash.length, end, text };
  });
}

function backslashesBefore(code: string, index: number): number {
  let start = index;
  while (code[start - 1] === '\\') start--;
  return index - start;
}

function escaped(characters: string): string {
  return Array.from({ length: characters.length }, (_, at) => {
    return `\\u${characters.charCodeAt(at).toString(16).padStart(4, '0')}`;
  }).join('');
}

/** Where the texts of tagged templates begin and end, in their order. */
function taggedTexts(code: string): { start: number; end: number }[] {
  const found: { start: number; end: number }[] = [];
  const open: unknown[] = [parseAst(code)];
  while (open.length > 0) {
    const node = open.pop();
    if (typeof node !== 'object' || node === null) continue;
    if (isTaggedTemplate(node)) found.push(...node.quasi.quasis);
    open.push(...Object.values(node));
  }
  return found.toSorted((a, b) => a.start - b.start);
}

function isTaggedTemplate(
  node: object,
): node is { quasi: { quasis: readonly { start: number; end: number }[] } } {
  return 'type' in node && node.type === 'TaggedTemplateExpression';
}

function startOf(replacement: Replacement | undefined): number {
  return replacement?.start ?? Infinity;
}

function growth(replacement: Replacement | undefined): number {
  return replacement ? replacement.text.length - (replacement.end - replacement.start) : 0;
}
