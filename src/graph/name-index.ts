import type { NamedEntity } from './entity-name.ts';
import {
  beginningsOf,
  firstWordOf,
  formsOf,
  isCaseTelling,
  isWhole,
  prepare,
  wordsOf,
} from './name-forms.ts';

/** All that is called in one way, whatever the case. */
interface Called {
  /** Whose name or alias it is, by the spelling: the lower case where none counts. */
  readonly owners: Map<string, Set<string>>;
  /** Of whose name it is the first or last word, with its spellings. */
  readonly shortFor: Map<string, Set<string>>;
}

/** Where in a name of some length its first word begins: `.NET` begins with a point. */
interface Shape {
  readonly offset: number;
  readonly length: number;
  /** Names of this shape. */
  count: number;
}

/**
 * The names of entities, which come and go, to be found in texts: see `findNames`.
 *
 * An entity waits, by the words with which its names begin, until a text has one of them: of thousands of entities a
 * question has the words of a few.
 */
export class NameIndex {
  /** By a word with which one of their names begins; some may have been taken up, or removed, since. */
  readonly #waitingAt = new Map<string, NamedEntity[]>();
  readonly #waiting = new Set<NamedEntity>();
  /** By name, in lower case. */
  readonly #called = new Map<string, Called>();
  /** By first word, the longest first. */
  readonly #shapes = new Map<string, Shape[]>();

  /** Adds an entity that is not in here. */
  add(entity: NamedEntity): void {
    const beginnings = beginningsOf(entity);
    if (!beginnings) return this.#takeUp(entity);
    this.#waiting.add(entity);
    for (const word of beginnings) {
      const there = this.#waitingAt.get(word);
      if (there) there.push(entity);
      else this.#waitingAt.set(word, [entity]);
    }
  }

  /** Removes an entity; it has to be the very one that was added. */
  remove(entity: NamedEntity): void {
    if (this.#waiting.delete(entity)) return;
    for (const { lower, shown, isShort } of formsOf(entity)) {
      const called = this.#called.get(lower);
      if (!called) continue;
      if (isShort) called.shortFor.delete(entity.name);
      else removeFrom(called.owners, spelling(lower, shown), entity.name);
      if (called.owners.size + called.shortFor.size === 0) this.#end(lower);
    }
  }

  #takeUp(entity: NamedEntity): void {
    for (const { lower, shown, isShort } of formsOf(entity)) {
      const called = this.#called.get(lower) ?? this.#begin(lower);
      if (isShort) addTo(called.shortFor, entity.name, shown);
      else addTo(called.owners, spelling(lower, shown), entity.name);
    }
  }

  /** Names the entities that a text mentions, in the order of their first mention. */
  find(text: string): string[] {
    const { shown, lower } = prepare(text);
    const found = new Set<string>();
    let end = 0;
    for (const { 0: word, index } of wordsOf(lower)) {
      this.#takeUpAt(word);
      for (const { offset, length } of this.#shapes.get(word) ?? []) {
        const start = index - offset;
        if (start < end || start + length > lower.length) continue;
        const key = lower.slice(start, start + length);
        const names = this.#calledAt(key, shown.slice(start, start + length));
        if (names.length === 0 || firstWordOf(key)?.offset !== offset || !isWhole(key, lower, start))
          continue;
        end = start + length;
        for (const name of names) found.add(name);
        break;
      }
    }
    return [...found];
  }

  /** Takes up all that wait for a word: whether a part of a name stands for one alone depends on all of them. */
  #takeUpAt(word: string): void {
    const there = this.#waitingAt.get(word);
    if (!there) return;
    this.#waitingAt.delete(word);
    for (const entity of there) if (this.#waiting.delete(entity)) this.#takeUp(entity);
  }

  /** Whom a name means that is written so. */
  #calledAt(lower: string, shown: string): readonly string[] {
    const called = this.#called.get(lower);
    if (!called) return [];
    const owners = called.owners.get(spelling(lower, shown)) ?? [];
    const [short, ...others] = called.shortFor;
    // A part of a name stands for it where it is that of one only, and nobody's name.
    if (!short || others.length > 0 || called.owners.has(lower)) return [...owners];
    const [name, [written = '']] = short;
    return spelling(lower, written) === spelling(lower, shown) ? [...owners, name] : [...owners];
  }

  #begin(lower: string): Called {
    const called: Called = { owners: new Map(), shortFor: new Map() };
    const first = firstWordOf(lower);
    if (!first) return called;
    this.#called.set(lower, called);
    const shapes = this.#shapes.get(first.word) ?? [];
    const same = shapes.find(({ offset, length }) => offset === first.offset && length === lower.length);
    if (same) same.count += 1;
    else shapes.push({ offset: first.offset, length: lower.length, count: 1 });
    this.#shapes.set(
      first.word,
      shapes.toSorted((a, b) => b.length - a.length),
    );
    return called;
  }

  #end(lower: string): void {
    this.#called.delete(lower);
    const first = firstWordOf(lower);
    if (!first) return;
    const shapes = this.#shapes.get(first.word) ?? [];
    const same = shapes.find(({ offset, length }) => offset === first.offset && length === lower.length);
    if (same) same.count -= 1;
    const left = shapes.filter(({ count }) => count > 0);
    if (left.length > 0) this.#shapes.set(first.word, left);
    else this.#shapes.delete(first.word);
  }
}

/** Two names may differ in case alone where case counts: `US` and `us`. */
function spelling(lower: string, shown: string): string {
  // No name holds a line break.
  return isCaseTelling(lower) ? `\n${shown}` : lower;
}

function addTo(map: Map<string, Set<string>>, key: string, value: string): void {
  const values = map.get(key);
  if (values) values.add(value);
  else map.set(key, new Set([value]));
}

function removeFrom(map: Map<string, Set<string>>, key: string, value: string): void {
  const values = map.get(key);
  values?.delete(value);
  if (values?.size === 0) map.delete(key);
}
