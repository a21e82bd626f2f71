import type { ContextItem, RecalledContext } from '../../src/index.ts';

/** What was recalled for one turn, by reference: no text, so that nothing forgotten lives on here. */
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

export function noteContext(context: RecalledContext, maxTokens: number): ContextNote {
  return {
    tokens: context.tokens,
    maxTokens,
    overBudget: context.overBudget,
    items: context.items.map(referTo),
  };
}

function referTo(item: ContextItem): ContextReference {
  const { kind, sources, sessionId, turnId, factId, createdAt, tokens, score, why } = item;
  const fact = factId === undefined ? {} : { factId };
  return { kind, sources, sessionId, turnId, ...fact, createdAt, tokens, score, why };
}

/** The context of each answer of this tab, by turn id. It survives a reload and ends with the tab. */
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
    return []; // only this page writes there; what cannot be read is not missed
  }
}
