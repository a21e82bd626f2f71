import type { NamedEntity } from '../../graph/entity-name.ts';
import { findNames } from '../../graph/find-names.ts';
import { entityKey } from '../../sessions/entity-store.ts';

/** What was detected of a turn before it was saved. */
export interface TurnNames {
  /** Of this very input. Pronouns are resolved in it, so that a name need not occur in the text. */
  readonly own: readonly string[];
  /** Of other inputs since the last save: a turn gets those of them that it names. */
  readonly others: readonly string[];
}

/**
 * The names that loads have detected, until the turns that they belong to are read. Turns may interleave: names go
 * with the input that they were found in, not with whichever turn is saved next.
 */
export class DetectedNames {
  readonly #byInput = new Map<string, readonly string[]>();
  readonly #byTurn = new Map<string, TurnNames>();

  add(input: string, names: readonly string[]): void {
    this.#byInput.delete(input);
    this.#byInput.set(input, names);
    dropOldest(this.#byInput, MOST_OPEN_INPUTS);
  }

  /** Hands over to a turn that is saved what it may use. */
  assign(turnId: string, input: string): void {
    const own = this.#byInput.get(input);
    if (this.#byInput.size === 0 || this.#byTurn.has(turnId)) return;
    const others = own ? [] : [...new Set([...this.#byInput.values()].flat())];
    if (own) this.#byInput.delete(input);
    else this.#byInput.clear();
    this.#byTurn.set(turnId, { own: own ?? [], others });
    dropOldest(this.#byTurn, MOST_UNREAD_TURNS);
  }

  /** Undefined where nothing was detected between this turn and the save before it. */
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

/** The names that a turn is about: its own, and the known or just detected ones that occur in its text. */
export function namesOfTurn(
  text: string,
  detected: TurnNames | undefined,
  known: readonly NamedEntity[],
): string[] {
  const others = (detected?.others ?? []).map((name) => ({ name, aliases: [] }));
  return [...(detected?.own ?? []), ...findNames(text, [...known, ...others])];
}

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

/** The key that a name is kept under; empty where it is blank. */
export function nameKeyOf(name: string): string {
  return name.trim() === '' ? '' : entityKey(name);
}

/** Loads that no save follows, such as previews, must not pile up. */
const MOST_OPEN_INPUTS = 20;
/** Another tab may read a turn in place of this one, which is not told. */
const MOST_UNREAD_TURNS = 200;

function dropOldest(map: Map<string, unknown>, most: number): void {
  const [oldest] = map.keys();
  if (map.size > most && oldest !== undefined) map.delete(oldest);
}
