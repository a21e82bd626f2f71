import { MnemoraError } from '../model/error.ts';

/** Above it nothing is parsed: a tab would run out of memory. */
const MAX_CHARACTERS = 64 * 1024 * 1024;
/** Files of graphs are six levels deep. */
const MAX_DEPTH = 32;

// Characters that XML cannot hold, not even as references, are written as Office does: _x0001_.
const UNWRITABLE = /(?![\t\n\r])\p{Control}|[\ufffe\uffff]|\p{Surrogate}/gu;
const LIKE_AN_ESCAPE = /_(?=x[\da-f]{4})/giu;
const ESCAPE = /_x([\da-f]{4})_/giu;
const REFERENCES: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&apos;'],
]);

/** A text as the value of an attribute or between tags. Any text comes back from {@link fromXmlText}. */
export function toXmlText(text: string): string {
  return text
    .replaceAll(LIKE_AN_ESCAPE, '_x005F_')
    .replaceAll(UNWRITABLE, (unit) => `_x${unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`)
    .replaceAll(/[&<>"'\t\n\r]/gu, (sign) => REFERENCES.get(sign) ?? `&#${sign.charCodeAt(0)};`);
}

/** The text that a parsed value stands for. */
export function fromXmlText(value: string): string {
  return value.replaceAll(ESCAPE, (_match, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

/**
 * The root of an XML document of unknown origin. Needs a `DOMParser`, as pages have.
 *
 * @param name of its root element
 * @throws MnemoraError `invalid-input` where it is not well-formed, has another root, declares a document type (and
 * with it entities), is too large or nested too deep
 */
export function parseXml(text: string, name: string): Element {
  if (typeof text !== 'string') throw unreadable('it is no text');
  if (typeof DOMParser === 'undefined') throw unreadable('there is no DOMParser here: read it in a page');
  if (text.length > MAX_CHARACTERS) throw unreadable('it is larger than 64 million characters');
  checkTags(text);
  const document = new DOMParser().parseFromString(text, 'application/xml');
  const root = document.documentElement;
  // A browser reports what is wrong as an element, somewhere in what it could read.
  if (document.getElementsByTagName('parsererror').length > 0) throw unreadable('it is no well-formed XML');
  if (root.localName !== name) throw unreadable(`its root is no <${name}>`);
  return root;
}

/** The elements of that name directly in another. */
export function childrenOf(element: Element, name: string): Element[] {
  return Array.from(element.children).filter((child) => child.localName === name);
}

/** Looks at the tags alone, so that no parser sees a document type or thousands of levels. */
function checkTags(text: string): void {
  let depth = 0;
  for (let start = text.indexOf('<'); start !== -1;) {
    let end: number;
    if (text.startsWith('<!--', start)) end = endOf(text, '-->', start + 4);
    else if (text.startsWith('<![CDATA[', start)) end = endOf(text, ']]>', start);
    else if (text.startsWith('<?', start)) end = endOf(text, '?>', start);
    else if (text.startsWith('<!', start))
      throw unreadable('it declares a document type, which could hide anything');
    else {
      end = endOfTag(text, start);
      if (text[start + 1] === '/') depth--;
      else if (text[end - 2] !== '/') depth++;
      if (depth > MAX_DEPTH) throw unreadable('it is nested too deep');
    }
    start = text.indexOf('<', end);
  }
}

/** After the tag that begins there. Quoted values may hold a `>`. */
function endOfTag(text: string, start: number): number {
  const signs = /[>"']/gu;
  signs.lastIndex = start;
  for (let found = signs.exec(text); found; found = signs.exec(text)) {
    if (found[0] === '>') return signs.lastIndex;
    signs.lastIndex = endOf(text, found[0], signs.lastIndex);
  }
  throw unreadable('it is cut in the middle of a tag');
}

function endOf(text: string, mark: string, from: number): number {
  const found = text.indexOf(mark, from);
  if (found === -1) throw unreadable('it is cut');
  return found + mark.length;
}

function unreadable(why: string): MnemoraError {
  return new MnemoraError('invalid-input', `The graph could not be read: ${why}. Nothing was loaded.`);
}
