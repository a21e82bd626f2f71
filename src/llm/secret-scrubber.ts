export type Scrubber = (text: string) => string;

/**
 * Returns a function that replaces secrets with `[hidden]`, ignoring case, also if they are URL-encoded or escaped as
 * JSON: endpoints and browsers often quote a rejected key.
 */
export function secretScrubber(secrets: readonly string[]): Scrubber {
  const forms = secrets.flatMap((secret) => [
    secret,
    encodeURIComponent(secret.toWellFormed()),
    JSON.stringify(secret).slice(1, -1),
  ]);
  // Longest first, because a secret may be a prefix of another.
  const patterns = [...new Set(forms)]
    .filter((form) => form !== '')
    .toSorted((a, b) => b.length - a.length)
    .map((form) => form.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'));
  if (patterns.length === 0) return (text) => text;
  const expression = new RegExp(patterns.join('|'), 'gi');
  return (text) => text.replaceAll(expression, '[hidden]');
}

/** Returns a copy of an error and its causes with scrubbed messages and without any other properties. */
export function scrubError(error: unknown, scrub: Scrubber, depth = 0): Error {
  if (!(error instanceof Error)) return new Error(scrub(String(error)));
  const cause =
    error.cause === undefined || depth >= 3 ? {} : { cause: scrubError(error.cause, scrub, depth + 1) };
  const copy = new Error(scrub(error.message), cause);
  copy.name = error.name;
  return copy;
}
