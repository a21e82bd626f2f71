import type { BackupRows } from '../storage/codec/backup-rows.ts';
import { startingWith } from '../storage/key-range.ts';
import { nameKey } from '../graph/entity-name.ts';
import { newId } from '../model/id.ts';
import { applyPlans } from '../storage/plan.ts';
import { withoutRewrite, isBareEntity, messageIdsOf } from '../storage/facts-and-entities.ts';
import { planForgetting } from '../storage/forgetting/knowledge-erasure.ts';
import type { WriteTransaction } from '../storage/storage-engine.ts';
import type { EntityMention, EntityRow, FactRow } from '../storage/schema.ts';
import { canonicalJson } from './backup-format.ts';
import type { ImportedTombstones } from './imported-tombstones.ts';
import { readRows } from './read-in-pages.ts';

/** Knowledge of a scope that affects what may be imported into it. */
interface ScopeKnowledge {
  /** Offset for the sequence numbers of new facts, so that they come after those that are here. */
  seqOffset: number;
  /** Ids of facts that are superseded here. */
  superseded: ReadonlySet<string>;
  /** Key of the entity that has each alias. Two entities with the same alias could not be loaded into the graph. */
  aliasOwners: Map<string, string>;
}

/**
 * Merges facts and entities of a file into the database. Facts come first, because a fact may be the only reason to
 * keep an entity.
 */
export class KnowledgeMerge {
  readonly #transaction: WriteTransaction;
  readonly #forgotten: ImportedTombstones;
  readonly #isHere: (messageId: string) => boolean;
  /** True if a fact that was here has gained sources. */
  hasNewSources = false;
  readonly #scopes = new Map<string, ScopeKnowledge>();

  constructor(
    transaction: WriteTransaction,
    forgotten: ImportedTombstones,
    isHere: (messageId: string) => boolean,
  ) {
    this.#transaction = transaction;
    this.#forgotten = forgotten;
    this.#isHere = isHere;
  }

  /** Merges a fact. Returns whether it was imported. */
  async putFact(row: BackupRows['triples']): Promise<boolean> {
    const triples = this.#transaction.objectStore('triples');
    const scope = await this.#scope(row.scope);
    const [known, tombstone] = await Promise.all([
      triples.get(row.id),
      this.#transaction.objectStore('tombstones').getKey(row.id),
    ]);
    // If a fact here supersedes it, it was removed here, and its new number would make it newer than the fact that
    // superseded it.
    const isForgotten = tombstone !== undefined && !this.#forgotten.isRestoring;
    if (known) await this.#addSources(known, row);
    if (known || isForgotten || scope.superseded.has(row.id)) return false;
    if (this.#forgotten.isRestoring) {
      await this.#transaction.objectStore('tombstones').delete(row.id);
      if (row.sources.length === 0) await this.#forgotten.bringBackByHand([row.subjectKey, row.objectKey]);
    }
    const fact = { ...withSources(row, row.sources), seq: row.seq + scope.seqOffset };
    const left = await this.#forgotten.factLeft(fact, this.#isHere);
    if (left) await triples.put(left);
    return left !== undefined;
  }

  /** Adds the file's sources to the same fact here, which then stays as long as any of them does. */
  async #addSources(known: FactRow, row: BackupRows['triples']): Promise<void> {
    const isSame = (['scope', 'subject', 'predicate', 'object', 'source'] as const).every(
      (field) => known[field] === row[field],
    );
    const given = withSources(row, row.sources);
    const left = isSame ? await this.#forgotten.factLeft(given, this.#isHere) : undefined;
    const here = new Set(known.sources.map(canonicalJson));
    const added = (left?.sources ?? []).filter((source) => !here.has(canonicalJson(source)));
    if (added.length === 0) return;
    await this.#transaction.objectStore('triples').put(withSources(known, [...known.sources, ...added]));
    this.hasNewSources = true;
  }

  /** Merges an entity. Returns whether anything of it was imported. */
  async putEntity(row: BackupRows['entities']): Promise<boolean> {
    const entities = this.#transaction.objectStore('entities');
    const scope = await this.#scope(row.scope);
    const [present, owner] = await Promise.all([
      entities.get([row.scope, row.key]),
      entities.index('id').getKey(row.id),
    ]);
    const given = { ...row, messageIds: messageIdsOf(row.mentions) };
    const isByHand = row.isStandalone || row.mentions.some((mention) => mention.messageIds.length === 0);
    if (this.#forgotten.isRestoring && isByHand) await this.#forgotten.bringBackByHand([row.key]);
    const left = await this.#forgotten.entityLeft(given, this.#isHere);
    const mentions = left.mentions.map((mention) => withFreeAliases(mention, row.key, scope.aliasOwners));
    if (!present) {
      if (isBareEntity(left) && !(await this.#isInFact(row.scope, row.key))) return false;
      const id = owner === undefined ? row.id : newId();
      await entities.put({ ...left, id, mentions });
      return true;
    }
    const merged = merge(present, { ...left, mentions });
    if (canonicalJson(merged) === canonicalJson(present)) return false;
    await entities.put(merged);
    return true;
  }

  /** Stores the tombstones of the file whose messages are here. Returns whether anything was written. */
  async keepTombstones(): Promise<boolean> {
    const tombstones = this.#transaction.objectStore('tombstones');
    let isChanged = false;
    for (const messageId of await this.#forgottenHere()) {
      for (const key of this.#forgotten.ofFile.get(messageId) ?? []) {
        if ((await tombstones.getKey(key)) !== undefined) continue;
        isChanged = true;
        this.#forgotten.newFor.add(messageId);
        await tombstones.put(true, key);
      }
    }
    return isChanged;
  }

  /** Erases what the file's tombstones say was forgotten of entities. */
  async eraseForgotten(): Promise<void> {
    for (const messageId of await this.#forgottenHere()) await this.#erase(messageId);
  }

  /** Returns the ids of messages here for which the file has tombstones. */
  async #forgottenHere(): Promise<string[]> {
    const messages = this.#transaction.objectStore('messages').index('id');
    const here: string[] = [];
    for (const id of this.#forgotten.ofFile.keys()) {
      const key = await messages.getKey(id);
      if (id === '' || (key && this.#forgotten.concern(key[0]))) here.push(id);
    }
    return here;
  }

  /** Erases like `forget` does: an entity may lose a name, and then its facts under that name move. */
  async #erase(messageId: string): Promise<void> {
    const [facts, told] = await Promise.all([
      this.#transaction.objectStore('triples').index('messageIds').getAll(messageId),
      this.#transaction.objectStore('entities').index('messageIds').getAll(messageId),
    ]);
    const forgotten: FactRow[] = [];
    for (const fact of facts) {
      const ends = [fact.subjectKey, fact.objectKey];
      if (await this.#forgotten.isForgotten(messageId, ends)) forgotten.push(fact);
    }
    const factsLeft = new Map<string, FactRow | undefined>();
    for (const fact of forgotten) factsLeft.set(fact.id, await this.#forgotten.factLeft(fact, () => true));
    const left = new Map<string, EntityRow>();
    for (const entity of told) left.set(entity.id, await this.#forgotten.entityLeft(entity, () => true));
    const plans = await planForgetting(this.#transaction, forgotten, told, {
      fact: (fact) => (factsLeft.has(fact.id) ? factsLeft.get(fact.id) : fact),
      entity: (entity) => left.get(entity.id) ?? entity,
    });
    await applyPlans(this.#transaction, plans);
  }

  async #scope(scope: string): Promise<ScopeKnowledge> {
    const known = this.#scopes.get(scope);
    if (known) return known;
    const read = { seqOffset: 0, superseded: new Set<string>(), aliasOwners: new Map<string, string>() };
    for await (const fact of readRows(this.#transaction, 'triples')) {
      if (fact.scope !== scope) continue;
      read.seqOffset = Math.max(read.seqOffset, fact.seq + 1);
      for (const id of fact.supersedes) read.superseded.add(id);
    }
    for await (const { key, mentions } of readRows(this.#transaction, 'entities', startingWith(scope)))
      for (const alias of mentions.flatMap((mention) => mention.aliases))
        read.aliasOwners.set(nameKey(alias), key);
    this.#scopes.set(scope, read);
    return read;
  }

  async #isInFact(scope: string, key: string): Promise<boolean> {
    const triples = this.#transaction.objectStore('triples');
    const counts = await Promise.all([
      triples.index('subject').count([scope, key]),
      triples.index('object').count([scope, key]),
    ]);
    return counts.some((count) => count > 0);
  }
}

/** Returns a fact with these sources. */
function withSources(fact: BackupRows['triples'], sources: FactRow['sources']): FactRow {
  return { ...fact, sources, messageIds: [...new Set(sources.map((source) => source.messageId))] };
}

/** Returns the entity here with the additional mentions of the file. */
function merge(present: EntityRow, given: EntityRow): EntityRow {
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
