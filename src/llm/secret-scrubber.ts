export type Scrubber = (text: string) => string;

/**
 * A function that replaces each of the secrets by `[hidden]`, in any case, also URL-encoded or escaped for JSON:
 * endpoints and browsers like to quote the key that they did not like.
 */
export function secretScrubber(secrets: readonly string[]): Scrubber {
  const forms = secrets.flatMap((secret) => [
    secret,
    encodeURIComponent(secret.toWellFormed()),
    JSON.stringify(secret).slice(1, -1),
  ]);
  // Longest first: a secret may be the beginning of another.
  const patterns = [...new Set(forms)]
    .filter((form) => form !== '')
    .toSorted((a, b) => b.length - a.length)
    .map((form) => form.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'));
  if (patterns.length === 0) return (text) => text;
  const expression = new RegExp(patterns.join('|'), 'gi');
  return (text) => text.replaceAll(expression, '[hidden]');
}

/** A copy of an error and its causes with scrubbed messages; nothing else of the original is kept. */
export function scrubError(error: unknown, scrub: Scrubber, depth = 0): Error {
  if (!(error instanceof Error)) return new Error(scrub(String(error)));
  const cause =
    error.cause === undefined || depth >= 3 ? {} : { cause: scrubError(error.cause, scrub, depth + 1) };
  const copy = new Error(scrub(error.message), cause);
  copy.name = error.name;
  return copy;
}
