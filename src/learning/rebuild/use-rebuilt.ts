import { fold } from '../../language/fold.ts';
import { yieldBetween } from '../../model/event-loop.ts';
import { isBareEntity, messageIdsOf } from '../../storage/facts-and-entities.ts';
import type { KnowledgeWrite, RowChanges } from '../../storage/knowledge-store.ts';
import { slicesOf } from '../../storage/rows.ts';
import type { ClaimRow, EntityMention, EntityRow, FactRow } from '../../storage/schema.ts';
import type { KnowledgeRows } from '../knowledge-rows.ts';
import { keptFacts } from './kept-rows.ts';

/** Maximum number of rows that one transaction writes, which takes a few milliseconds of the page. */
const SLICE_ROWS = 100;
/** Maximum number of rows that are compared at once. */
const COMPARED_ROWS = 50;

/** All rows at one moment, by what identifies them. */
export interface RowsAtOnce {
  readonly facts: ReadonlyMap<string, FactRow>;
  readonly entities: ReadonlyMap<string, EntityRow>;
  readonly claims: ReadonlyMap<string, ClaimRow>;
}

export function rowsAtOnce(rows: KnowledgeRows): RowsAtOnce {
  const { facts, entities, claims } = rows.all();
  return {
    facts: new Map(facts.map((row) => [row.id, row])),
    entities: new Map(entities.map((row) => [row.key, row])),
    claims: new Map(claims.map((row) => [row.id, row])),
  };
}

/**
 * Returns the writes that put rebuilt rows in the place of those in use, one transaction each. A row in use goes after
 * those that replace it have come. What a rebuild has not read is kept: what the user has entered, corrected or marked,
 * and what was learned from other messages in the meantime.
 *
 * @param isRead whether the rebuild has read a message
 */
export async function writesToUse(
  inUse: RowsAtOnce,
  rebuilt: RowsAtOnce,
  isRead: (messageId: string) => boolean,
): Promise<KnowledgeWrite[]> {
  const facts = await factsToUse(inUse, rebuilt, isRead);
  const entities = await entitiesToUse(inUse, rebuilt, isRead, facts.left);
  const claims = await claimsToUse(inUse, rebuilt, isRead);
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
async function factsToUse(
  inUse: RowsAtOnce,
  rebuilt: RowsAtOnce,
  isRead: (messageId: string) => boolean,
): Promise<FactsToUse> {
  const kept = keptFacts(inUse.facts.values(), (fact) => !fact.messageIds.every(isRead));
  const same = new Map<string, FactRow[]>();
  const old = [...inUse.facts.values()].toSorted((a, b) => a.seq - b.seq);
  for await (const some of inSlices(old)) {
    for (const fact of some) {
      if (rebuilt.facts.has(fact.id)) continue;
      const key = contentOf(fact);
      same.set(key, [...(same.get(key) ?? []), fact]);
    }
  }
  const ids = new Map<string, string>();
  const left = new Map<string, FactRow>();
  let last = -1;
  let next = (old.at(-1)?.seq ?? -1) + 1;
  let isInOrder = true;
  const seqOf = (id: string): number => left.get(id)?.seq ?? -1;
  const put = (fact: FactRow): void => {
    const before = inUse.facts.get(fact.id) ?? same.get(contentOf(fact))?.shift();
    if (before && (before.id === fact.id || kept.has(before.id))) {
      ids.set(fact.id, before.id);
      left.set(before.id, withSources(before, fact));
      return;
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
  };
  for await (const some of inSlices([...rebuilt.facts.values()].toSorted((a, b) => a.seq - b.seq))) {
    for (const fact of some) put(fact);
  }
  for (const fact of old) if (kept.has(fact.id) && !left.has(fact.id)) left.set(fact.id, fact);
  const puts: FactRow[] = [];
  for await (const some of inSlices(left.values()))
    puts.push(...some.filter((fact) => !isSame(fact, inUse.facts.get(fact.id))));
  return {
    puts,
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

async function entitiesToUse(
  inUse: RowsAtOnce,
  rebuilt: RowsAtOnce,
  isRead: (messageId: string) => boolean,
  facts: readonly FactRow[],
): Promise<{ puts: EntityRow[]; removed: EntityRow[] }> {
  const ends = new Set(facts.flatMap(({ subjectKey, objectKey }) => [subjectKey, objectKey]));
  const puts: EntityRow[] = [];
  const removed: EntityRow[] = [];
  const use = (key: string): void => {
    const [old, row] = [inUse.entities.get(key), rebuilt.entities.get(key)];
    const made = row?.mentions ?? [];
    const known = new Set(made.map((mention) => JSON.stringify(mention)));
    const isLeft = (mention: EntityMention): boolean =>
      !known.has(JSON.stringify(mention)) &&
      (mention.messageIds.length === 0 || !mention.messageIds.every(isRead));
    const mentions = [...made, ...(old?.mentions ?? []).filter(isLeft)];
    const base = old ?? row;
    if (!base) return;
    const name = row?.name ?? base.name;
    const left: EntityRow = { ...base, name, mentions, messageIds: messageIdsOf(mentions) };
    if (isBareEntity(left) && !ends.has(key)) {
      if (old) removed.push(old);
    } else if (!isSame(left, old)) puts.push(left);
  };
  const keys = new Set([...inUse.entities.keys(), ...rebuilt.entities.keys()]);
  for await (const some of inSlices(keys)) for (const key of some) use(key);
  return { puts, removed };
}

/** What a claim that was not read again has ended stays ended. */
async function claimsToUse(
  inUse: RowsAtOnce,
  rebuilt: RowsAtOnce,
  isRead: (messageId: string) => boolean,
): Promise<{ puts: ClaimRow[]; removed: string[] }> {
  const toUse = (claim: ClaimRow): ClaimRow => {
    const { endedBy, endedText } = inUse.claims.get(claim.id) ?? {};
    const by = inUse.claims.get(endedBy ?? '');
    const isEnded = claim.endedBy === undefined && by && !isRead(by.messageId);
    const part = endedText === undefined ? {} : { endedText };
    return isEnded ? { ...claim, endedBy: by.id, ...part } : claim;
  };
  const puts: ClaimRow[] = [];
  for await (const some of inSlices(rebuilt.claims.values()))
    puts.push(...some.map(toUse).filter((claim) => !isSame(claim, inUse.claims.get(claim.id))));
  const old = [...inUse.claims.values()];
  const removed = old.filter(({ id, messageId }) => isRead(messageId) && !rebuilt.claims.has(id));
  return { puts, removed: removed.map(({ id }) => id) };
}

function inSlices<Row>(rows: Iterable<Row>): AsyncGenerator<Row[], void> {
  return yieldBetween(slicesOf(rows, COMPARED_ROWS));
}

function isSame(a: object, b: object | undefined): boolean {
  return b !== undefined && JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));
}

/** Returns the fields in one order. Those that are absent may also be undefined. */
function sorted(row: object): object {
  return Object.fromEntries(Object.entries(row).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
