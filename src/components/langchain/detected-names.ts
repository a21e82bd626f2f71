import type { NamedEntity } from '../../graph/entity-name.ts';
import { findNames } from '../../graph/name-index.ts';
import { entityKey } from '../../sessions/entity-store.ts';

/** Names that were detected in a turn before it was saved. */
export interface TurnNames {
  /** Names from this input. Pronouns have been resolved, so a name need not occur in the text. */
  readonly own: readonly string[];
  /** Names from other inputs since the last save. Only those that occur in the turn are used. */
  readonly others: readonly string[];
}

/**
 * Keeps the names detected by loads until their turns are read. Turns may interleave: names belong to the input in which
 * they were found, not to the turn that is saved next.
 */
export class DetectedNames {
  readonly #byInput = new Map<string, readonly string[]>();
  readonly #byTurn = new Map<string, TurnNames>();

  add(input: string, names: readonly string[]): void {
    this.#byInput.delete(input);
    this.#byInput.set(input, names);
    dropOldest(this.#byInput, MOST_OPEN_INPUTS);
  }

  /** Assigns the detected names to a turn that is being saved. */
  assign(turnId: string, input: string): void {
    const own = this.#byInput.get(input);
    if (this.#byInput.size === 0 || this.#byTurn.has(turnId)) return;
    const others = own ? [] : [...new Set([...this.#byInput.values()].flat())];
    if (own) this.#byInput.delete(input);
    else this.#byInput.clear();
    this.#byTurn.set(turnId, { own: own ?? [], others });
    dropOldest(this.#byTurn, MOST_UNREAD_TURNS);
  }

  /** Returns the names of a turn; undefined if none were detected since the previous save. */
  ofTurn(turnId: string): TurnNames | undefined {
    return this.#byTurn.get(turnId);
  }

  forgetTurns(turnIds: readonly string[]): void {
    for (const id of turnIds) this.#byTurn.delete(id);
  }

  clear(): void {
    this.#byInput.clear();
    this.#byTurn.clear();
  }
}

/** Returns the names that a turn is about: its own, and the known or detected ones that occur in its text. */
export function namesOfTurn(
  text: string,
  detected: TurnNames | undefined,
  known: readonly NamedEntity[],
): string[] {
  const others = (detected?.others ?? []).map((name) => ({ name, aliases: [] }));
  return [...(detected?.own ?? []), ...findNames(text, [...known, ...others])];
}

/**
 * Returns the known entity for a name: the one with this name or alias, or the only one with this first or last name. The
 * reverse does not hold: `Sam Smith` does not match the entity `Sam`.
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

/** Returns the key of a name; empty for a blank name. */
export function nameKeyOf(name: string): string {
  return name.trim() === '' ? '' : entityKey(name);
}

/**
 * Maximum number of inputs without a save: loads that are not followed by a save, such as previews, must not
 * accumulate.
 */
const MOST_OPEN_INPUTS = 20;
/** Maximum number of unread turns: another tab may read a turn instead of this one, which is not notified. */
const MOST_UNREAD_TURNS = 200;

function dropOldest(map: Map<string, unknown>, most: number): void {
  const [oldest] = map.keys();
  if (map.size > most && oldest !== undefined) map.delete(oldest);
}
