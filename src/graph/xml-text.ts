import { invalidInput, type MnemoraError } from '../model/error.ts';
import { trustedXml } from '../model/trusted-types.ts';

/** Longer files are refused: a tab would run out of memory. */
const MAX_CHARACTERS = 64 * 1024 * 1024;
/** Graph files are at most six levels deep. */
const MAX_DEPTH = 32;

// Characters that XML cannot represent, not even as references, are escaped in the way of Office: _x0001_.
const UNWRITABLE = /(?![\t\n\r])\p{Control}|[\ufffe\uffff]|\p{Surrogate}/gu;
const LIKE_AN_ESCAPE = /_(?=x[\da-f]{4})/giu;
const ESCAPE = /_x([\da-f]{4})_/giu;
const REFERENCES: Readonly<Record<string, string>> = {
  '&': 'amp',
  '<': 'lt',
  '>': 'gt',
  '"': 'quot',
  "'": 'apos',
};

/** Escapes a text for an attribute value or element content. {@link fromXmlText} restores any text exactly. */
export function toXmlText(text: string): string {
  return text
    .replaceAll(LIKE_AN_ESCAPE, '_x005F_')
    .replaceAll(UNWRITABLE, (unit) => `_x${unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`)
    .replaceAll(/[&<>"'\t\n\r]/gu, (sign) => `&${REFERENCES[sign] ?? `#${sign.charCodeAt(0)}`};`);
}

/** Returns the text that a parsed value stands for. */
export function fromXmlText(value: string): string {
  return value.replaceAll(ESCAPE, (_match, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

/**
 * Returns the root element of an XML document of unknown origin. Needs a `DOMParser`, so it runs in pages only.
 *
 * @param name the expected name of the root element
 * @throws MnemoraError `invalid-input` if the document is not well-formed, has another root, declares a document type
 * (and with it entities), is too large, or is nested too deeply
 */
export function parseXml(text: string, name: string): Element {
  if (typeof text !== 'string') throw unreadable('it is not a string');
  if (typeof DOMParser === 'undefined')
    throw unreadable('this environment has no DOMParser, so read the file in a page');
  if (text.length > MAX_CHARACTERS) throw unreadable('it is larger than 64 million characters');
  checkTags(text);
  const document = new DOMParser().parseFromString(trustedXml(text), 'application/xml');
  const root = document.documentElement;
  // Browsers report a parse error as an element inside the part that they could read.
  if (document.getElementsByTagName('parsererror').length > 0) throw unreadable('it is not well-formed XML');
  if (root.localName !== name) throw unreadable(`its root element is not <${name}>`);
  return root;
}

/** Returns the elements that are reached from `parents` by a path of child names. */
export function childrenOf(parents: readonly Element[], ...path: readonly string[]): readonly Element[] {
  return path.reduce(
    (elements, name) =>
      elements.flatMap(({ children }) => Array.from(children).filter(({ localName }) => localName === name)),
    parents,
  );
}

/** Returns the text of an attribute; empty if the element does not have it. */
export function attributeOf(element: Element, name: string): string {
  return fromXmlText(element.getAttribute(name) ?? '');
}

/** Scans the tags only, so that the parser never sees a document type or thousands of levels. */
function checkTags(text: string): void {
  let depth = 0;
  for (let start = text.indexOf('<'); start !== -1;) {
    let end: number;
    if (text.startsWith('<!--', start)) end = endOf(text, '-->', start + 4);
    else if (text.startsWith('<![CDATA[', start)) end = endOf(text, ']]>', start);
    else if (text.startsWith('<?', start)) end = endOf(text, '?>', start);
    else if (text.startsWith('<!', start))
      throw unreadable('it declares a document type, which is not allowed');
    else {
      end = endOfTag(text, start);
      if (text[start + 1] === '/') depth--;
      else if (text[end - 2] !== '/') depth++;
      if (depth > MAX_DEPTH) throw unreadable('its elements are nested too deeply');
    }
    start = text.indexOf('<', end);
  }
}

/** Returns the offset after the tag that begins there. Quoted values can contain a `>`. */
function endOfTag(text: string, start: number): number {
  const signs = /[>"']/gu;
  signs.lastIndex = start;
  for (let found = signs.exec(text); found; found = signs.exec(text)) {
    if (found[0] === '>') return signs.lastIndex;
    signs.lastIndex = endOf(text, found[0], signs.lastIndex);
  }
  throw unreadable('it ends in the middle of a tag');
}

function endOf(text: string, mark: string, from: number): number {
  const found = text.indexOf(mark, from);
  if (found === -1) throw unreadable('it ends unexpectedly');
  return found + mark.length;
}

function unreadable(why: string): MnemoraError {
  return invalidInput(`The graph file could not be read: ${why}. Nothing was loaded.`);
}
