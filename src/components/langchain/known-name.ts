import { entityKey } from '../../sessions/entity-store.ts';
import { findNames, type NamedEntity } from '../../graph/find-names.ts';

/**
 * The known entity that a name means: of the same name or alias, or the only one of which it is the first or last
 * name. `Sam Smith` is not known as `Sam`.
 */
export function knownName(name: string, known: readonly NamedEntity[]): string | undefined {
  const key = nameKeyOf(name);
  const isSame = (entity: NamedEntity): boolean =>
    [entity.name, ...entity.aliases].some((other) => nameKeyOf(other) === key);
  const same = known.find(isSame);
  if (same || key === '') return same?.name;
  const longer = findNames(name, known).filter((candidate) => nameKeyOf(candidate).includes(key));
  return longer.length === 1 ? longer[0] : undefined;
}

/** Under which a name is kept; empty where it is blank. */
export function nameKeyOf(name: string): string {
  return name.trim() === '' ? '' : entityKey(name);
}
