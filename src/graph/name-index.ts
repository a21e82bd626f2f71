import type { NamedEntity } from './entity-name.ts';
import { beginningsOf, firstWordOf, formsOf, isWhole, prepare, spelling, wordsOf } from './name-forms.ts';

/**
 * Returns the names of the entities that a text mentions, in the order of their first mention.
 *
 * Case, width and spacing do not matter, except that names of one or two letters and names that are common words
 * (`Will`) must match in case. `Sam's` matches Sam. The first or last word of a longer name (`Nolan`) matches it if
 * only one entity has that word and no other entity is called so. Of overlapping names the longest wins: `New York
 * Times` is not `New York`. If there is an entity called `user`, the words `I`, `me`, `my`, `mine` and `myself` match
 * it.
 */
export function findNames(text: string, entities: readonly NamedEntity[]): string[] {
  const index = new NameIndex();
  for (const entity of entities) index.add(entity);
  return index.find(text);
}

/** All entities found under one form, whatever its case. */
interface FormEntry {
  /** Entities with this as their name or alias, by spelling; the lower case is used where case does not matter. */
  readonly owners: Map<string, Set<string>>;
  /** Entities with this as the first or last word of their name, each with the spelling. */
  readonly shortFor: Map<string, string>;
}

/** Offset of the first word in names of one length: `.NET` begins with a period. */
interface Shape {
  readonly offset: number;
  readonly length: number;
  /** Number of names with this shape. */
  count: number;
}

/**
 * Index of entity names, to find them in texts: see `findNames`. Entities can be added and removed.
 *
 * Indexing is deferred: an entity is only listed by the words with which its names begin, until a text contains one
 * of them. Of thousands of entities, a question contains the words of a few.
 */
export class NameIndex {
  /** Deferred entities, by a word with which one of their names begins. Some may since have been indexed or removed. */
  readonly #deferredByWord = new Map<string, NamedEntity[]>();
  readonly #deferred = new Set<NamedEntity>();
  /** Indexed forms, in lower case. */
  readonly #forms = new Map<string, FormEntry>();
  /** Shapes by first word, the longest first. */
  readonly #shapes = new Map<string, Shape[]>();

  /** Adds an entity that is not in the index. */
  add(entity: NamedEntity): void {
    const beginnings = beginningsOf(entity);
    if (!beginnings) return this.#indexEntity(entity);
    this.#deferred.add(entity);
    for (const word of beginnings) {
      const there = this.#deferredByWord.get(word);
      if (there) there.push(entity);
      else this.#deferredByWord.set(word, [entity]);
    }
  }

  /** Removes an entity. It must be the same object that was added. */
  remove(entity: NamedEntity): void {
    if (this.#deferred.delete(entity)) return;
    for (const { lower, shown, isShort } of formsOf(entity)) {
      const entry = this.#forms.get(lower);
      if (!entry) continue;
      if (isShort) entry.shortFor.delete(entity.name);
      else removeFrom(entry.owners, spelling(lower, shown), entity.name);
      if (entry.owners.size + entry.shortFor.size > 0) continue;
      this.#forms.delete(lower);
      this.#countShape(lower, -1);
    }
  }

  #indexEntity(entity: NamedEntity): void {
    for (const { lower, shown, isShort } of formsOf(entity)) {
      const known = this.#forms.get(lower);
      const entry = known ?? { owners: new Map(), shortFor: new Map() };
      if (!known) {
        this.#forms.set(lower, entry);
        this.#countShape(lower, 1);
      }
      if (!isShort) addTo(entry.owners, spelling(lower, shown), entity.name);
      else if (!entry.shortFor.has(entity.name)) entry.shortFor.set(entity.name, shown);
    }
  }

  /** Returns the names of the entities that a text mentions, in the order of their first mention. */
  find(text: string): string[] {
    const { shown, lower } = prepare(text);
    const found = new Set<string>();
    let end = 0;
    for (const { 0: word, index } of wordsOf(lower)) {
      this.#indexDeferred(word);
      for (const { offset, length } of this.#shapes.get(word) ?? []) {
        const start = index - offset;
        if (start < end || start + length > lower.length) continue;
        const key = lower.slice(start, start + length);
        const names = this.#namesFor(key, shown.slice(start, start + length));
        if (names.length === 0 || firstWordOf(key)?.offset !== offset || !isWhole(key, lower, start))
          continue;
        end = start + length;
        for (const name of names) found.add(name);
        break;
      }
    }
    return [...found];
  }

  /** Indexes all entities deferred under a word: whether a part of a name is unambiguous depends on all of them. */
  #indexDeferred(word: string): void {
    const there = this.#deferredByWord.get(word);
    if (!there) return;
    this.#deferredByWord.delete(word);
    for (const entity of there) if (this.#deferred.delete(entity)) this.#indexEntity(entity);
  }

  /** Returns the entities that a form in this spelling means. */
  #namesFor(lower: string, shown: string): readonly string[] {
    const entry = this.#forms.get(lower);
    if (!entry) return [];
    const owners = entry.owners.get(spelling(lower, shown)) ?? [];
    const [short, ...others] = entry.shortFor;
    // A part of a name means it only if it is part of no other name, and not a name of its own.
    if (!short || others.length > 0 || entry.owners.has(lower)) return [...owners];
    const [name, written] = short;
    return spelling(lower, written) === spelling(lower, shown) ? [...owners, name] : [...owners];
  }

  /** Counts a form in or out among those that begin with the same word. */
  #countShape(lower: string, change: 1 | -1): void {
    const first = firstWordOf(lower);
    if (!first) return;
    const { word, offset } = first;
    const { length } = lower;
    const known = this.#shapes.get(word) ?? [];
    const same = known.find((shape) => shape.offset === offset && shape.length === length);
    const shapes = same ? known : [...known, { offset, length, count: change }];
    if (same) same.count += change;
    const left = shapes.filter(({ count }) => count > 0).toSorted((a, b) => b.length - a.length);
    if (left.length > 0) this.#shapes.set(word, left);
    else this.#shapes.delete(word);
  }
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
