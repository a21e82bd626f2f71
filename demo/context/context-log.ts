import type { ContextItem, RecalledContext } from '../../src/index.ts';

/** What was recalled for one turn, as references. It holds no text, so that nothing forgotten remains here. */
export interface ContextNote {
  tokens: number;
  maxTokens: number;
  overBudget: boolean;
  items: readonly ContextReference[];
}

export type ContextReference = Pick<
  ContextItem,
  'kind' | 'sources' | 'sessionId' | 'turnId' | 'factId' | 'createdAt' | 'tokens' | 'score' | 'why'
>;

/** Keeps the references of a recalled context, without its text. */
export function noteContext(context: RecalledContext, maxTokens: number): ContextNote {
  return {
    tokens: context.tokens,
    maxTokens,
    overBudget: context.overBudget,
    items: context.items.map(toReference),
  };
}

function toReference(item: ContextItem): ContextReference {
  const { kind, sources, sessionId, turnId, factId, createdAt, tokens, score, why } = item;
  const fact = factId === undefined ? {} : { factId };
  return { kind, sources, sessionId, turnId, ...fact, createdAt, tokens, score, why };
}

/** The context of each answer, by turn id. It is kept in session storage: it survives a reload and ends with the tab. */
export class ContextLog {
  readonly #key: string;
  readonly #notes: Map<string, ContextNote>;

  constructor(databaseName: string) {
    this.#key = `mnemora-demo-contexts:${databaseName}`;
    this.#notes = new Map(readNotes(this.#key));
  }

  get(turnId: string): ContextNote | undefined {
    return this.#notes.get(turnId);
  }

  put(turnId: string, note: ContextNote): void {
    this.#notes.set(turnId, note);
    const newest = [...this.#notes].slice(-MAX_NOTES);
    sessionStorage.setItem(this.#key, JSON.stringify(newest));
  }

  clear(): void {
    this.#notes.clear();
    sessionStorage.removeItem(this.#key);
  }
}

const MAX_NOTES = 200;

function readNotes(key: string): [string, ContextNote][] {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? '[]') as [string, ContextNote][];
  } catch {
    return []; // the log is a convenience: without it the page shows no contexts
  }
}
