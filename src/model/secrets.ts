import { secretSpans } from './secret-shapes.ts';

/** Text that stands in place of a secret. */
const SECRET_MARK = '[secret]';

/**
 * Returns a text with `[secret]` in place of everything that looks like a secret: private keys, access tokens and API
 * keys, JSON Web Tokens, numbers of payment cards and bank accounts with valid check digits, US social security numbers,
 * and passwords, PINs and codes that the text calls so ("my password is …", `API_KEY=…`). Takes linear time.
 *
 * It judges by shape, so it misses some secrets and takes some other texts for one. UUIDs, hashes such as those of
 * commits, phone numbers, dates and addresses of pages stay as they are.
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

/** Returns what looks like a secret in a text, word for word. */
function secretsIn(text: string): string[] {
  return secretSpans(text).map(({ start, end }) => text.slice(start, end));
}

/** Returns a test for whether a text contains a secret, by its shape or because one of the sources contains it. */
export function secretFinder(sources: readonly string[]): (text: string) => boolean {
  let known: readonly string[] | undefined;
  return (text) => {
    known ??= sources.flatMap(secretsIn).map(compact);
    return hasSecret(text) || known.some((secret) => compact(text).includes(secret));
  };
}

/** Returns a text without secrets: those that its shape shows, and those that one of the sources contains. */
export function withoutSecrets(text: string, sources: readonly string[]): string {
  const known = sources.flatMap(secretsIn);
  return redactSecrets(known.reduce((left, secret) => left.replaceAll(secret, SECRET_MARK), text));
}

/** A model or a rule may write a number without its spaces, or a word without its capitals. */
function compact(text: string): string {
  return text.replaceAll(/[\s-]/gu, '').toLowerCase();
}
