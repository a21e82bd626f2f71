import { sentenceOf } from '../graph/fact-sentence.ts';
import type { KnownAtQuery } from '../graph/graph-query.ts';
import { viewOf } from '../graph/fact-graph.ts';
import { STATEMENT_WEIGHTS } from '../learning/statements/statement-weights.ts';
import type { KnowledgeRows } from '../learning/knowledge-rows.ts';
import { SHARES } from '../recall/budget-shares.ts';
import { chooseProfile } from '../recall/choose-profile.ts';
import type { ContextNote } from '../recall/context-item.ts';
import type { FactRow, StatementRow } from '../storage/schema.ts';
import type { Tokenizer } from '../tokens/tokenizer.ts';
import type { Engine } from './engine.ts';

/** A line of what is always told. */
export interface ProfileLine {
  /** A sentence of the user, word for word, or a fact that the user has entered. */
  readonly text: string;
  readonly tokens: number;
  /** Ids of the messages that say it. */
  readonly sources: readonly string[];
  /** Of a fact, for `correct`, `pin` and `forget`. */
  readonly factId?: string;
  /** When it was said, in milliseconds since 1970. */
  readonly createdAt: number;
}

/** What a profile is chosen from. */
export interface ProfileSources {
  readonly statements: readonly StatementRow[];
  /** What the user has said of facts, where it holds and is not told as pinned anyway. */
  readonly facts: readonly FactRow[];
}

/** What the next context tells whatever is asked, in its order. */
export async function readProfile(
  engine: Pick<Engine, 'graph' | 'settings' | 'tokenizer'>,
  signal: AbortSignal | undefined,
): Promise<ProfileLine[]> {
  const { profileTokens, maxTokens } = engine.settings;
  const tokenizer = await engine.tokenizer();
  const sources = profileSources(await engine.graph.rows(signal), {});
  const notes = profileNotes(sources, tokenizer, Math.min(profileTokens, maxTokens * SHARES.profile));
  return notes.map(({ text, sources: messageIds, factId, createdAt }) => ({
    text,
    tokens: tokenizer.countText(text),
    sources: messageIds,
    ...(factId === undefined ? {} : { factId }),
    createdAt,
  }));
}

/** To be called before anything is waited for: the rows go on changing. Kept until they do. */
export function profileSources(rows: KnowledgeRows, when: KnownAtQuery): ProfileSources {
  const { knownAt } = when;
  const known = sourcesByRows.get(rows);
  if (known?.version === rows.version && knownAt === undefined) return known.sources;
  const view = viewOf(rows.graph, when);
  const sources = {
    statements: knownAt === undefined ? [...rows.statements.values()] : statementsKnownAt(rows, knownAt),
    facts: [...rows.enteredFacts.values()].filter(({ id, isPinned }) => isPinned !== true && view.holds(id)),
  };
  if (knownAt === undefined) sourcesByRows.set(rows, { version: rows.version, sources });
  return sources;
}

/** The profile that fits a number of tokens, the most useful first. */
export function profileNotes(
  sources: ProfileSources,
  tokenizer: Tokenizer,
  maxTokens: number,
): ContextNote[] {
  if (maxTokens < 1) return [];
  const known = notesBySources.get(sources);
  if (known?.maxTokens === maxTokens && known.tokenizerId === tokenizer.id) return known.notes;
  const facts = new Map(sources.facts.map((fact) => [fact.id, fact]));
  const statements = new Map(sources.statements.map((row) => [row.id, row]));
  const lines = chooseProfile(
    {
      facts: sources.facts.map((fact) => ({ id: fact.id, text: sentenceOf(fact) })),
      statements: likeliest(sources.statements).map((row) => ({ ...row, createdAt: row.saidAt })),
    },
    {
      countTokens: (text) => tokenizer.countText(text),
      maxTokens,
      minScore: STATEMENT_WEIGHTS.confident,
    },
  );
  const notes = lines.map(({ id, text }, place): ContextNote => {
    const fact = facts.get(id);
    const statement = statements.get(id);
    const score = lines.length - place;
    const createdAt = fact?.recordedAt ?? statement?.saidAt ?? 0;
    if (fact) return { text, sources: fact.messageIds, factId: id, createdAt, score, why: {} };
    const messageIds = statement ? [statement.messageId] : [];
    return { text, sources: messageIds, statements: [{ id, text }], createdAt, score, why: {} };
  });
  notesBySources.set(sources, { maxTokens, tokenizerId: tokenizer.id, notes });
  return notes;
}

/** Of many statements so many are looked at: the newest, and those most worth keeping. */
const LOOKED_AT = 150;

function likeliest(statements: readonly StatementRow[]): StatementRow[] {
  const holding = statements.filter(({ endedBy }) => endedBy === undefined);
  if (holding.length <= 2 * LOOKED_AT) return holding;
  const newest = holding.toSorted((a, b) => b.saidAt - a.saidAt || (a.id < b.id ? 1 : -1));
  const best = holding.toSorted((a, b) => b.score - a.score || (a.id < b.id ? 1 : -1));
  return [...new Set([...newest.slice(0, LOOKED_AT), ...best.slice(0, LOOKED_AT)])];
}

const sourcesByRows = new WeakMap<KnowledgeRows, { version: number; sources: ProfileSources }>();
const notesBySources = new WeakMap<
  ProfileSources,
  { maxTokens: number; tokenizerId: string; notes: ContextNote[] }
>();

function statementsKnownAt(rows: KnowledgeRows, knownAt: number): StatementRow[] {
  const isKnown = (row: StatementRow | undefined): boolean => row !== undefined && row.saidAt <= knownAt;
  return [...rows.statements.values()].flatMap(({ endedBy, ...row }) => {
    if (!isKnown(row)) return [];
    return [endedBy !== undefined && isKnown(rows.statements.get(endedBy)) ? { ...row, endedBy } : row];
  });
}
