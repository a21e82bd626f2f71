import type { TaggedTerm } from './word-classes.ts';

/** Changes whenever the messages do: the worker that is served may be older than the page. */
export const TAGGING_VERSION = 2;

/** Sent once, by a worker that holds a lock for as long as it lives: see `holdLifeLock`. */
export interface TaggingStart {
  readonly version: number;
  readonly lifeLock: string;
}

/** Whether data is the first message of a worker of this version. */
export function isTaggingStart(data: unknown): data is TaggingStart {
  const { version, lifeLock } = Object(data) as Partial<Record<keyof TaggingStart, unknown>>;
  return version === TAGGING_VERSION && typeof lifeLock === 'string';
}

/** Asks for the words of some sentences. */
export interface TaggingRequest {
  readonly id: number;
  readonly sentences: readonly string[];
}

/** The words of each sentence. */
export interface TaggingAnswer {
  readonly version: number;
  readonly id: number;
  readonly words: readonly (readonly TaggedTerm[])[];
}

/** Whether data is an answer of this version. What a damaged worker sends must not reach the code that believes it. */
export function isTaggingAnswer(data: unknown): data is TaggingAnswer {
  const { version, id, words } = Object(data) as Partial<Record<keyof TaggingAnswer, unknown>>;
  return (
    version === TAGGING_VERSION &&
    Number.isFinite(id) &&
    Array.isArray(words) &&
    words.every((terms) => Array.isArray(terms) && terms.every(isTaggedTerm))
  );
}

function isTaggedTerm(value: unknown): boolean {
  const { start, end, tags } = Object(value) as Partial<Record<keyof TaggedTerm, unknown>>;
  return (
    Number.isSafeInteger(start) &&
    Number.isSafeInteger(end) &&
    Array.isArray(tags) &&
    tags.every((tag) => typeof tag === 'string')
  );
}
