import { nameKey } from '../../graph/entity-name.ts';
import { newId } from '../../model/id.ts';
import type { BackupRows } from '../codec/backup-rows.ts';
import { canonicalJson } from '../codec/canonical-json.ts';
import { isBareEntity, messageIdsOf, withoutRewrite } from '../facts-and-entities.ts';
import { startingWith } from '../key-range.ts';
import { readRows } from '../codec/read-in-pages.ts';
import type { EntityMention, EntityRow, FactRow } from '../schema.ts';
import type { ImportTarget, StoreMerge } from './import-target.ts';

/** Facts of a scope that affect which facts may be imported into it. */
interface ScopeFacts {
  /** Offset for the sequence numbers of new facts, so that they come after those that are here. */
  readonly seqOffset: number;
  /** Ids of facts that are superseded here. */
  readonly superseded: ReadonlySet<string>;
  /** Ids of the facts that are here, by what they say; see {@link statementsOf}. */
  readonly idsByStatement: ReadonlyMap<string, string>;
}

/** Imports new facts, and adds sources of the file to the facts that are here. */
export function mergeFacts(target: ImportTarget): StoreMerge<'triples'> {
  const { transaction, forgotten, isRestoring } = target;
  const triples = transaction.objectStore('triples');
  const tombstones = transaction.objectStore('tombstones');
  const scopes = new Map<string, ScopeFacts>();

  const factsOf = async (scope: string): Promise<ScopeFacts> => {
    const known = scopes.get(scope);
    if (known) return known;
    const here = await triples.index('scope').getAll(scope);
    const facts = {
      seqOffset: here.reduce((most, { seq }) => Math.max(most, seq + 1), 0),
      superseded: new Set(here.flatMap((fact) => fact.supersedes)),
      idsByStatement: new Map(
        here.flatMap((fact) => statementsOf(fact).map((key) => [key, fact.id] as const)),
      ),
    };
    scopes.set(scope, facts);
    return facts;
  };

  /** Adds the file's sources to the same fact here, which then stays as long as any of them does. */
  const addSources = async (known: FactRow, row: BackupRows['triples']): Promise<void> => {
    const isSame = (['scope', 'subject', 'predicate', 'object', 'source'] as const).every(
      (field) => known[field] === row[field],
    );
    const left = isSame ? await forgotten.factLeft(withSources(row, row.sources)) : undefined;
    const here = new Set(known.sources.map(canonicalJson));
    const added = (left?.sources ?? []).filter((source) => !here.has(canonicalJson(source)));
    if (added.length === 0) return;
    await triples.put(withSources(known, [...known.sources, ...added]));
    target.isChanged = true;
  };

  /** Ids of facts here by that of the fact of the file that says the same. */
  const twins = new Map<string, string>();
  /** Ids of imported facts that replace others. */
  const replacing: string[] = [];

  const put = async (row: BackupRows['triples']): Promise<boolean> => {
    const { seqOffset, superseded, idsByStatement } = await factsOf(row.scope);
    const [known, tombstone] = await Promise.all([triples.get(row.id), tombstones.getKey(row.id)]);
    if (known) await addSources(known, row);
    const twinId = known ? undefined : statementsOf(row).flatMap((key) => idsByStatement.get(key) ?? [])[0];
    const twin = twinId === undefined ? undefined : await triples.get(twinId);
    if (twin) {
      twins.set(row.id, twin.id);
      await addSources(twin, row);
      return false;
    }
    // If a fact here supersedes it, it was removed here, and its new number would make it newer than the fact that
    // superseded it.
    const isForgotten = superseded.has(row.id) || (tombstone !== undefined && !isRestoring);
    if (known || isForgotten) return false;
    if (isRestoring) {
      await tombstones.delete(row.id);
      if (row.sources.length === 0) await forgotten.bringBackByHand([row.subjectKey, row.objectKey]);
    }
    const left = await forgotten.factLeft({
      ...withSources(row, row.sources),
      seq: row.seq + seqOffset,
    });
    if (left) await triples.put(left);
    if (left && left.supersedes.length > 0) replacing.push(left.id);
    return left !== undefined;
  };

  /** What a fact of the file replaces may be here under another id. */
  const end = async (): Promise<void> => {
    for (const id of twins.size > 0 ? replacing : []) {
      const fact = await triples.get(id);
      if (!fact?.supersedes.some((other) => twins.has(other))) continue;
      const supersedes = new Set(fact.supersedes.map((other) => twins.get(other) ?? other));
      await triples.put({ ...fact, supersedes: [...supersedes] });
    }
  };
  return { put: (rows) => target.putEach('triples', rows, put), end };
}

/**
 * Returns what a fact says as learned from each of its messages. Two devices that learn from the same message give the
 * same fact different ids.
 */
function statementsOf(fact: BackupRows['triples']): string[] {
  if (fact.source === 'user') return [];
  const { source, subjectKey, predicate, objectKey, validFrom, validTo } = fact;
  return fact.sources
    .filter(({ isContext }) => isContext !== true)
    .map(({ messageId }) =>
      JSON.stringify([messageId, source, subjectKey, predicate, objectKey, validFrom, validTo]),
    );
}

/**
 * Adds what the file knows about entities to those that are here. Facts come first in a file, because a fact may be the
 * only reason to keep an entity.
 */
export function mergeEntities(target: ImportTarget): StoreMerge<'entities'> {
  const { transaction, forgotten } = target;
  const entities = transaction.objectStore('entities');
  const triples = transaction.objectStore('triples');
  /** Key of the entity that has each alias, by scope. Two entities with the same alias could not be loaded into the graph. */
  const aliasOwners = new Map<string, Map<string, string>>();

  const ownersIn = async (scope: string): Promise<Map<string, string>> => {
    const known = aliasOwners.get(scope);
    if (known) return known;
    const owners = new Map<string, string>();
    for await (const { key, mentions } of readRows(transaction, 'entities', startingWith(scope)))
      for (const alias of mentions.flatMap((mention) => mention.aliases)) owners.set(nameKey(alias), key);
    aliasOwners.set(scope, owners);
    return owners;
  };

  const isInFact = async (scope: string, key: string): Promise<boolean> => {
    const ends = [triples.index('subject'), triples.index('object')];
    const counts = await Promise.all(ends.map((index) => index.count([scope, key])));
    return counts.some((count) => count > 0);
  };

  const put = async (row: BackupRows['entities']): Promise<boolean> => {
    const { scope, key } = row;
    const owners = await ownersIn(scope);
    const [present, owner] = await Promise.all([
      entities.get([scope, key]),
      entities.index('id').getKey(row.id),
    ]);
    const isByHand = row.isStandalone || row.mentions.some((mention) => mention.messageIds.length === 0);
    if (target.isRestoring && isByHand) await forgotten.bringBackByHand([key]);
    const left = await forgotten.entityLeft({ ...row, messageIds: messageIdsOf(row.mentions) });
    const mentions = left.mentions.map((mention) => withFreeAliases(mention, key, owners));
    if (!present && isBareEntity(left) && !(await isInFact(scope, key))) return false;
    const merged = present
      ? withMentions(present, { ...left, mentions })
      : { ...left, id: owner === undefined ? row.id : newId(), mentions };
    if (present && canonicalJson(merged) === canonicalJson(present)) return false;
    await entities.put(merged);
    return true;
  };
  return { put: (rows) => target.putEach('entities', rows, put) };
}

/** Returns a fact with these sources. */
function withSources(fact: BackupRows['triples'], sources: FactRow['sources']): FactRow {
  return { ...fact, sources, messageIds: [...new Set(sources.map((source) => source.messageId))] };
}

/** Returns the entity here with the additional mentions of the file. */
function withMentions(present: EntityRow, given: EntityRow): EntityRow {
  const here = new Set(present.mentions.map(keyOf));
  const there = new Map(given.mentions.map((mention) => [keyOf(mention), mention]));
  const kept = present.mentions.map((mention) => {
    const other = there.get(keyOf(mention));
    return other && !other.rewrites ? withoutRewrite(mention) : mention;
  });
  const added = given.mentions.filter((mention) => !here.has(keyOf(mention)));
  const mentions =
    added.length === 0 ? kept : [...kept, ...added].toSorted((a, b) => a.recordedAt - b.recordedAt);
  // Each side may have rewritten notes without having seen the notes of the other.
  const haveDiverged = added.length > 0 && [...here].some((key) => !there.has(key));
  return {
    ...present,
    attributes: { ...given.attributes, ...present.attributes },
    isStandalone: present.isStandalone || given.isStandalone,
    mentions: haveDiverged ? mentions.map(withoutRewrite) : mentions,
    messageIds: messageIdsOf(mentions),
  };
}

/** Returns a key for a mention that ignores whether it still rewrites the mentions before it. */
function keyOf(mention: EntityMention): string {
  return canonicalJson(withoutRewrite(mention));
}

function withFreeAliases(
  mention: EntityMention,
  owner: string,
  aliasOwners: Map<string, string>,
): EntityMention {
  const aliases = mention.aliases.filter((alias) => (aliasOwners.get(nameKey(alias)) ?? owner) === owner);
  for (const alias of aliases) aliasOwners.set(nameKey(alias), owner);
  return { ...mention, aliases };
}
