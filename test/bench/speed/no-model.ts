// Stands in for transformers.js: two of the libraries start to load a model when they are imported, which a search
// among ready vectors does not need.
export const env: Record<string, unknown> = {};

export function pipeline(): Promise<never> {
  return new Promise(() => undefined);
}
