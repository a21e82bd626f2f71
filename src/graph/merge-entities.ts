import { nameKey } from './entity-name.ts';
import type { EntityRecord } from './triple.ts';

/** The known entities, by node. */
export interface KnownEntities {
  readonly names: { nodeOf(name: string): string };
  hasNode(node: string): boolean;
  entity(node: string): EntityRecord;
}

/**
 * Merges several entities into one. Of names and spellings of an alias the first one is kept, of attribute values the
 * last one.
 *
 * @param node the node of the merged entity
 * @param given the newest of the entities
 * @param all all entities, including the newest, oldest first
 */
export function mergeEntities(node: string, given: EntityRecord, all: readonly EntityRecord[]): EntityRecord {
  const aliases = new Map<string, string>();
  for (const entity of all) {
    for (const alias of [entity.name, ...entity.aliases]) {
      const key = nameKey(alias);
      if (key !== node && !aliases.has(key)) aliases.set(key, alias);
    }
  }
  return {
    name: all[0]?.name ?? given.name,
    aliases: [...aliases.values()],
    attributes: Object.assign({}, ...all.toReversed().map((entity) => entity.attributes), given.attributes),
    isStandalone: all.some((entity) => entity.isStandalone),
  };
}

/** Whether these entities can replace those with the same names without moving a fact to another entity. */
export function canReplace(entities: readonly EntityRecord[], known: KnownEntities): boolean {
  const keys = new Set(entities.map(({ name }) => nameKey(name)));
  const claimed = new Set<string>();
  return (
    keys.size === entities.length &&
    entities.every(({ name, aliases }) => {
      const node = nameKey(name);
      const wanted = aliasKeys(aliases, node);
      const before = aliasKeys(known.entity(node).aliases, node);
      const added = [...wanted].filter((key) => !before.has(key));
      const isFree = added.every(
        (key) =>
          known.names.nodeOf(key) === key && !known.hasNode(key) && !keys.has(key) && !claimed.has(key),
      );
      for (const key of added) claimed.add(key);
      return known.names.nodeOf(name) === node && isFree && [...before].every((key) => wanted.has(key));
    })
  );
}

function aliasKeys(aliases: readonly string[], node: string): ReadonlySet<string> {
  return new Set(aliases.map(nameKey).filter((key) => key !== node));
}
