/** Returns a thrown value as an error: code of the page, such as an embedder, can throw anything. */
export function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown), { cause: thrown });
}
