/** Characters of a piece of a secret that is recognized, in its letters and digits. Shorter pieces reveal too little. */
const PIECE = 8;

/**
 * Returns a function that replaces secrets with `[hidden]`, ignoring case: endpoints and browsers often quote a rejected
 * key. Secrets are also found if they are escaped as URL, JSON or HTML, are in base64 or hexadecimal, alone or as a part
 * of what was encoded, are interrupted by spaces or punctuation, or are cut, as long as eight letters or digits are left.
 */
export function secretScrubber(secrets: readonly string[]): (text: string) => string {
  const given = [...new Set(secrets)].filter((secret) => secret !== '');
  if (given.length === 0) return (text) => text;
  const whole = wholeForms(given);
  // URLs are skipped, such as that of a header that names the page: their pieces are ordinary words of error messages.
  const keys = given.filter((secret) => !secret.includes('://'));
  const pieces = new Set(keys.flatMap(encodedForms).flatMap(piecesOf));
  return (text) => hidePieces(text.replaceAll(whole, '[hidden]'), pieces);
}

/** Returns an expression for the secrets as they are given, for those that are too short for pieces. */
function wholeForms(secrets: readonly string[]): RegExp {
  const forms = secrets.flatMap((secret) => [
    secret,
    encodeURIComponent(secret.toWellFormed()),
    JSON.stringify(secret).slice(1, -1),
  ]);
  // Longest first, because a secret may be a prefix of another.
  const patterns = [...new Set(forms)]
    .toSorted((a, b) => b.length - a.length)
    .map((form) => form.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'));
  return new RegExp(patterns.join('|'), 'gi');
}

/** Returns the forms in which a secret may be quoted. Only their letters and digits are compared. */
function encodedForms(secret: string): string[] {
  const bytes = new TextEncoder().encode(secret);
  const escaped = (units: RegExp, encode: (code: number) => string): string =>
    secret.replaceAll(units, (unit) => encode(unit.codePointAt(0) ?? 0));
  // Three forms, because a group of base64 may begin at any byte; characters that depend on other bytes are left out.
  const base64 = [0, 1, 2].map((filler) =>
    btoa('\0'.repeat(filler) + String.fromCharCode(...bytes))
      .slice(filler === 0 ? 0 : filler + 1)
      .replace(/.?=+$/, ''),
  );
  return [
    secret,
    ...base64,
    Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join(''),
    encodeURIComponent(secret.toWellFormed()),
    JSON.stringify(secret),
    secret.replaceAll(/[&<>"']/g, (unit) => ENTITIES[unit] ?? ''),
    ...[/[^\p{L}\p{N}]/gu, /./gsu].flatMap((units) => [
      escaped(units, (code) => `#${code};`),
      escaped(units, (code) => `#x${code.toString(16)};`),
    ]),
  ];
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': 'amp',
  '<': 'lt',
  '>': 'gt',
  '"': 'quot',
  "'": '#39',
};

/** Returns the letters and digits of a text in lower case, each with its position in the text. */
function lettersOf(text: string): { letters: string; positions: number[] } {
  const found = [...text.matchAll(/[\p{L}\p{N}]/gu)];
  // One UTF-16 unit for each, so that a position can be looked up by that of its letter.
  const letters = found.map(([letter]) => letter.toLowerCase().charAt(0)).join('');
  return { letters, positions: found.map(({ index }) => index) };
}

function piecesOf(form: string): string[] {
  const { letters } = lettersOf(form);
  return Array.from({ length: Math.max(0, letters.length - PIECE + 1) }, (_, at) =>
    letters.slice(at, at + PIECE),
  );
}

function hidePieces(text: string, pieces: ReadonlySet<string>): string {
  const { letters, positions } = lettersOf(text);
  let shown = '';
  let done = 0;
  for (let at = 0; at + PIECE <= letters.length; at += 1) {
    if (!pieces.has(letters.slice(at, at + PIECE))) continue;
    let last = at + PIECE - 1;
    for (let next = at + 1; next <= last && next + PIECE <= letters.length; next += 1)
      if (pieces.has(letters.slice(next, next + PIECE))) last = next + PIECE - 1;
    shown += `${text.slice(done, wordStart(text, positions[at] ?? 0, done))}[hidden]`;
    done = wordEnd(text, (positions[last] ?? 0) + 1);
    at = last;
  }
  return shown + text.slice(done);
}

/** The rest of the word around a piece is hidden too: the secret may be encoded together with other text. */
const IN_WORD = /[\p{L}\p{N}+/=_%&#;-]/u;

function wordStart(text: string, from: number, least: number): number {
  let start = from;
  while (start > least && IN_WORD.test(text.charAt(start - 1))) start -= 1;
  return start;
}

function wordEnd(text: string, from: number): number {
  let end = from;
  while (end < text.length && IN_WORD.test(text.charAt(end))) end += 1;
  return end;
}

/** Returns a copy of an error and its causes with scrubbed messages and without any other properties. */
export function scrubError(error: unknown, scrub: (text: string) => string, depth = 0): Error {
  if (!(error instanceof Error)) return new Error(scrub(String(error)));
  const cause =
    error.cause === undefined || depth >= 3 ? {} : { cause: scrubError(error.cause, scrub, depth + 1) };
  const copy = new Error(scrub(error.message), cause);
  copy.name = error.name;
  return copy;
}
