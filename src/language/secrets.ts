import { secretSpans } from './secret-shapes.ts';

/** Text that replaces a secret. */
const SECRET_MARK = '[secret]';

/**
 * Returns a text with `[secret]` in place of everything that looks like a secret: private keys, access tokens and API
 * keys, JSON Web Tokens, numbers of payment cards and bank accounts with valid check digits, US social security
 * numbers, and passwords, PINs and codes that the text labels as such ("my password is …", `API_KEY=…`). Takes linear
 * time.
 *
 * Secrets are recognized by their format, so some are missed and some other texts are replaced by mistake. UUIDs,
 * hashes such as those of commits, phone numbers, dates and URLs of pages are kept.
 *
 * @example
 * const memory = await createMemory({ redact: (text) => redactSecrets(withoutNames(text)) });
 */
export function redactSecrets(text: string): string {
  const kept: string[] = [];
  let at = 0;
  for (const { start, end } of secretSpans(text)) {
    kept.push(text.slice(at, start), SECRET_MARK);
    at = end;
  }
  return kept.join('') + text.slice(at);
}

/** Returns whether a text contains something that looks like a secret. */
export function hasSecret(text: string): boolean {
  return secretSpans(text).length > 0;
}

/** Returns the parts of a text that look like secrets, verbatim. */
function secretsIn(text: string): string[] {
  return secretSpans(text).map(({ start, end }) => text.slice(start, end));
}

/**
 * Returns a function that tests whether a text contains a secret: one recognized by its format, or one found in the
 * sources.
 */
export function secretFinder(sources: readonly string[]): (text: string) => boolean {
  let known: readonly string[] | undefined;
  return (text) => {
    known ??= sources.flatMap(secretsIn).map(compact);
    return hasSecret(text) || known.some((secret) => compact(text).includes(secret));
  };
}

/** Returns a text without secrets: those recognized by their format, and those found in the sources. */
export function withoutSecrets(text: string, sources: readonly string[]): string {
  const known = sources.flatMap(secretsIn);
  return redactSecrets(known.reduce((left, secret) => left.replaceAll(secret, SECRET_MARK), text));
}

/** Ignores spaces and case, because a model or a rule may write a number without its spaces or a word in lower case. */
function compact(text: string): string {
  return text.replaceAll(/[\s-]/gu, '').toLowerCase();
}
