import { fold } from '../../language/fold.ts';
import { isBareEntity, messageIdsOf } from '../../storage/facts-and-entities.ts';
import type { KnowledgeWrite, RowChanges } from '../../storage/knowledge-store.ts';
import type { ClaimRow, EntityMention, EntityRow, FactRow } from '../../storage/schema.ts';
import type { KnowledgeRows } from '../knowledge-rows.ts';
import { keptFacts } from './drop-learned.ts';

/** Maximum number of rows that one transaction writes. */
const SLICE_ROWS = 250;

/**
 * Returns the writes that put rebuilt rows in the place of those in use, one transaction each. A row in use goes after
 * those that replace it have come. What a rebuild has not read is kept: what the user has entered, corrected or marked,
 * and what was learned from other messages in the meantime.
 *
 * @param isRead whether the rebuild has read a message
 */
export function writesToUse(
  inUse: KnowledgeRows,
  rebuilt: KnowledgeRows,
  isRead: (messageId: string) => boolean,
): KnowledgeWrite[] {
  const facts = factsToUse(inUse, rebuilt, isRead);
  const entities = entitiesToUse(inUse, rebuilt, isRead, facts.left);
  const claims = claimsToUse(inUse, rebuilt, isRead);
  const puts = [
    ...entities.puts.map((row) => ({ entities: [row] })),
    ...facts.puts.map((row) => ({ facts: [row] })),
    ...claims.puts.map((row) => ({ claims: [row] })),
  ];
  const removals = [
    ...facts.removed.map((id) => ({ removedFacts: [id] })),
    ...claims.removed.map((id) => ({ removedClaims: [id] })),
    ...entities.removed.map((row) => ({ removedEntities: [row] })),
  ];
  const all: readonly Partial<KnowledgeWrite>[] = [...puts, ...removals];
  const count = Math.max(1, Math.ceil(all.length / SLICE_ROWS));
  return Array.from({ length: count }, (_, at) => joined(all.slice(at * SLICE_ROWS, (at + 1) * SLICE_ROWS)));
}

function joined(writes: readonly Partial<KnowledgeWrite>[]): KnowledgeWrite {
  const all = <Field extends keyof RowChanges>(field: Field): KnowledgeWrite[Field] =>
    writes.flatMap((write) => (write[field] ?? []) as never[]);
  return {
    facts: all('facts'),
    entities: all('entities'),
    claims: all('claims'),
    removedFacts: all('removedFacts'),
    removedEntities: all('removedEntities'),
    removedClaims: all('removedClaims'),
  };
}

interface FactsToUse {
  readonly puts: FactRow[];
  readonly removed: string[];
  /** The facts afterwards. */
  readonly left: FactRow[];
}

/** A fact that was learned again keeps its id, and its number as long as the order is the same. */
function factsToUse(
  inUse: KnowledgeRows,
  rebuilt: KnowledgeRows,
  isRead: (messageId: string) => boolean,
): FactsToUse {
  const kept = keptFacts(inUse.facts.values(), (fact) => !fact.messageIds.every(isRead));
  const same = new Map<string, FactRow[]>();
  const old = [...inUse.facts.values()].toSorted((a, b) => a.seq - b.seq);
  for (const fact of old) {
    if (rebuilt.facts.get(fact.id)) continue;
    const key = contentOf(fact);
    same.set(key, [...(same.get(key) ?? []), fact]);
  }
  const ids = new Map<string, string>();
  const left = new Map<string, FactRow>();
  let last = -1;
  let next = Math.max(-1, ...old.map(({ seq }) => seq)) + 1;
  let isInOrder = true;
  const seqOf = (id: string): number => left.get(id)?.seq ?? -1;
  for (const fact of [...rebuilt.facts.values()].toSorted((a, b) => a.seq - b.seq)) {
    const before = inUse.facts.get(fact.id) ?? same.get(contentOf(fact))?.shift();
    if (before && (before.id === fact.id || kept.has(before.id))) {
      ids.set(fact.id, before.id);
      left.set(before.id, withSources(before, fact));
      continue;
    }
    const supersedes = fact.supersedes.map((id) => ids.get(id) ?? id);
    isInOrder &&=
      before !== undefined && before.seq > last && supersedes.every((id) => seqOf(id) < before.seq);
    const seq = isInOrder && before ? before.seq : next++;
    last = seq;
    const id = before?.id ?? fact.id;
    ids.set(fact.id, id);
    // When it became known does not change by learning it again.
    const recordedAt = before?.recordedAt ?? fact.recordedAt;
    left.set(id, { ...fact, id, seq, supersedes, recordedAt });
  }
  for (const fact of old) if (kept.has(fact.id) && !left.has(fact.id)) left.set(fact.id, fact);
  return {
    puts: [...left.values()].filter((fact) => !isSame(fact, inUse.facts.get(fact.id))),
    removed: old.flatMap(({ id }) => (left.has(id) ? [] : id)),
    left: [...left.values()],
  };
}

/** Says of two facts that one is the other, learned again. */
function contentOf({ subjectKey, predicate, objectKey, validFrom, sources: [first] }: FactRow): string {
  return JSON.stringify([subjectKey, fold(predicate), objectKey, validFrom, first?.messageId]);
}

function withSources(fact: FactRow, again: FactRow): FactRow {
  const known = new Set(fact.messageIds);
  const added = again.sources.filter(({ messageId }) => !known.has(messageId));
  if (added.length === 0) return fact;
  const messageIds = [...new Set([...fact.messageIds, ...added.map(({ messageId }) => messageId)])];
  return { ...fact, sources: [...fact.sources, ...added], messageIds };
}

function entitiesToUse(
  inUse: KnowledgeRows,
  rebuilt: KnowledgeRows,
  isRead: (messageId: string) => boolean,
  facts: readonly FactRow[],
): { puts: EntityRow[]; removed: EntityRow[] } {
  const ends = new Set(facts.flatMap(({ subjectKey, objectKey }) => [subjectKey, objectKey]));
  const puts: EntityRow[] = [];
  const removed: EntityRow[] = [];
  for (const key of new Set([...inUse.entities.keys(), ...rebuilt.entities.keys()])) {
    const [old, row] = [inUse.entities.get(key), rebuilt.entities.get(key)];
    const made = row?.mentions ?? [];
    const known = new Set(made.map((mention) => JSON.stringify(mention)));
    const isLeft = (mention: EntityMention): boolean =>
      !known.has(JSON.stringify(mention)) &&
      (mention.messageIds.length === 0 || !mention.messageIds.every(isRead));
    const mentions = [...made, ...(old?.mentions ?? []).filter(isLeft)];
    const base = old ?? row;
    if (!base) continue;
    const name = row?.name ?? base.name;
    const left: EntityRow = { ...base, name, mentions, messageIds: messageIdsOf(mentions) };
    if (isBareEntity(left) && !ends.has(key)) {
      if (old) removed.push(old);
    } else if (!isSame(left, old)) puts.push(left);
  }
  return { puts, removed };
}

/** What a claim that was not read again has ended stays ended. */
function claimsToUse(
  inUse: KnowledgeRows,
  rebuilt: KnowledgeRows,
  isRead: (messageId: string) => boolean,
): { puts: ClaimRow[]; removed: string[] } {
  const puts = [...rebuilt.allClaims()].flatMap((claim) => {
    const { endedBy, endedText } = inUse.claim(claim.id) ?? {};
    const by = inUse.claim(endedBy ?? '');
    const isEnded = claim.endedBy === undefined && by && !isRead(by.messageId);
    const part = endedText === undefined ? {} : { endedText };
    const left = isEnded ? { ...claim, endedBy: by.id, ...part } : claim;
    return isSame(left, inUse.claim(claim.id)) ? [] : left;
  });
  const old = [...inUse.allClaims()];
  const removed = old.filter(({ id, messageId }) => isRead(messageId) && !rebuilt.claim(id));
  return { puts, removed: removed.map(({ id }) => id) };
}

function isSame(a: object, b: object | undefined): boolean {
  return b !== undefined && JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));
}

/** Returns the fields in one order. Those that are absent may also be undefined. */
function sorted(row: object): object {
  return Object.fromEntries(Object.entries(row).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
