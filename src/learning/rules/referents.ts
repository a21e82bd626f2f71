import { hasTag, isOneOf, type Word } from '../../language/sentence-words.ts';
import { genderOf, isIn, isPersonKin } from '../../language/words/lexicon.ts';
import { USER_NAME } from '../first-person.ts';
import type { FoundName, NameKind } from './names.ts';
import type { StatedFact } from './rule-statements.ts';

interface Known {
  readonly name: string;
  kind: NameKind | undefined;
  gender: 'male' | 'female' | undefined;
  /** The last sentence that mentioned it, and whether it was its subject. */
  sentence: number;
  isSubject: boolean;
}

/** Prefix for people without a name: `the boss`. */
const NAMELESS = 'the ';

/** Number of sentences after which a pronoun no longer refers to a name. */
const REACH = 8;

/** Keeps track of who and what was mentioned, to resolve pronouns. */
export class Referents {
  readonly #known = new Map<string, Known>();
  /** Maps `user sister` to `Emma`. */
  readonly #relatives = new Map<string, string>();
  #group: { readonly names: readonly string[]; readonly sentence: number } | undefined;
  #sentence = 0;

  nextSentence(): void {
    this.#sentence++;
  }

  /** Takes what was mentioned out of the reach of pronouns. */
  leave(): void {
    this.#sentence += REACH + 1;
  }

  /** Adds a known name without making it a candidate for pronouns. */
  learn(name: string): void {
    const key = name.toLowerCase();
    if (key === USER_NAME || key === '' || this.#known.has(key)) return;
    const sentence = -REACH - 1;
    this.#known.set(key, { name, kind: undefined, gender: undefined, sentence, isSubject: false });
  }

  knows(lower: string): boolean {
    return this.#known.has(lower);
  }

  note(found: Pick<FoundName, 'text' | 'kind' | 'gender'>, isSubject: boolean): void {
    if (found.kind === 'date') return;
    const name = this.fullName(found.text);
    const key = name.toLowerCase();
    if (key === USER_NAME) return;
    const old = this.#known.get(key);
    this.#known.set(key, {
      name,
      kind: found.kind === 'name' ? (old?.kind ?? found.kind) : found.kind,
      gender: found.gender ?? old?.gender,
      sentence: this.#sentence,
      isSubject: isSubject || (old?.sentence === this.#sentence && old.isSubject),
    });
  }

  /** Notes a relative or friend, whose pronoun follows from the noun for the relation. */
  notePerson(text: string, noun: string, isSubject: boolean): void {
    const gender = genderOf(noun);
    this.note({ text, kind: 'person', ...(gender && { gender }) }, isSubject);
  }

  noteGroup(names: readonly string[]): void {
    this.#group = { names, sentence: this.#sentence };
  }

  relate(owner: string, noun: string, name: string): void {
    this.#relatives.set(`${owner} ${noun}`.toLowerCase(), name);
  }

  relative(owner: string, noun: string): string | undefined {
    return this.#relatives.get(`${owner} ${noun}`.toLowerCase());
  }

  /** Notes the names in a sentence and its facts, so that a later "she" can be resolved. */
  noteMentions(names: readonly FoundName[], facts: readonly StatedFact[]): void {
    const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();
    for (const name of names) {
      const isSubject = facts.some(({ subject }) => isSame(subject, name.text));
      this.note(name, isSubject || (facts.length === 0 && name === names[0] && name.start === 0));
    }
    for (const { subject, predicate, object } of facts) {
      const isNamed = names.some(({ text }) => isSame(text, subject));
      if (subject !== USER_NAME && !subject.includes("'s ") && !isNamed)
        this.note({ text: subject, kind: 'name' }, true);
      if (predicate === 'is a') this.#specify(subject);
      if (/^is (?:married|engaged) to$/u.test(predicate) && subject !== USER_NAME)
        this.noteGroup([subject, object]);
      const noun = /^has (?:\p{L}+ )?([\p{L}-]+)$/u.exec(predicate)?.[1];
      if (noun === undefined || !/^\p{Lu}/u.test(object)) continue;
      this.relate(subject, noun, object);
      this.#replace(`${subject}'s ${noun}`, object);
      if (isPersonKin(noun)) this.#specify(object, genderOf(noun));
      else this.note({ text: object, kind: 'name' }, true);
    }
    const titles = names.filter(({ kind }) => kind === 'title');
    if (facts.length === 0 && titles.length > 1) this.noteGroup(titles.map(({ text }) => text));
  }

  /** Notes people without a name, such as `a road engineer` or `my boss`, whom a later "he" may mean. */
  noteNameless(words: readonly Word[]): void {
    for (const [index, { kind, lower }] of words.entries()) {
      const [next, second] = words.slice(index + 1);
      const before = words[index - 1];
      if (kind === 'word' && isReporter(words, index))
        this.note({ text: `${NAMELESS}${lower}`, kind: 'person' }, true);
      // "Mum thinks that Ana is here": a later "she" is mum.
      const isOpen = !before || before.kind === 'mark' || isIn('conjunction', before.lower);
      const isBare =
        (isOpen || isOneOf(before, 'and or')) && isIn('bare-kin', lower) && next?.kind === 'word';
      if (isBare && !next.isCapital && next.lower !== 'of') {
        this.#noteMine(lower, true);
        continue;
      }
      const isNamed = next?.isCapital === true || (second?.kind === 'word' && second.isCapital);
      if (kind !== 'word' || isNamed || !(isIn('job', lower) || isPersonKin(lower))) continue;
      const start = words
        .slice(Math.max(0, index - 3), index)
        .findLast((word) => isOneOf(word, 'a an the my our this some new another'));
      if (!start) continue;
      const isMine = isOneOf(start, 'my our') && isPersonKin(lower);
      if (isMine) this.#noteMine(lower, false);
      else this.note({ text: `${NAMELESS}${lower}`, kind: 'person' }, false);
    }
  }

  #noteMine(noun: string, isSubject: boolean): void {
    this.notePerson(this.relative(USER_NAME, noun) ?? `${USER_NAME}'s ${noun}`, noun, isSubject);
  }

  /** Sets that a name is a person's, and which pronoun fits. */
  #specify(name: string, gender?: 'male' | 'female'): void {
    const known = this.#known.get(name.toLowerCase());
    if (!known) return;
    known.kind = 'person';
    known.gender ??= gender;
  }

  /** Replaces somebody without a name by the name that was given later. */
  #replace(old: string, name: string): void {
    const known = this.#known.get(old.toLowerCase());
    const named = this.#known.get(name.toLowerCase());
    if (!known || !named) return;
    this.#known.delete(old.toLowerCase());
    named.isSubject ||= known.isSubject;
    named.gender ??= known.gender;
  }

  /** Returns `Christopher Nolan` for `Nolan` if only one such person is known, in the spelling of the first mention. */
  fullName(text: string): string {
    const key = text.toLowerCase();
    const same = this.#known.get(key);
    if (same) return same.name;
    if (/\s/u.test(text)) return text;
    const [longer, ...others] = [...this.#known].filter(([other, { kind }]) => {
      const isPerson = kind === 'person' || kind === undefined || kind === 'name';
      return isPerson && (other.startsWith(`${key} `) || other.endsWith(` ${key}`));
    });
    return longer && others.length === 0 ? longer[1].name : text;
  }

  /** Returns the earlier names that the pronouns of a sentence refer to. */
  resolveAll(words: readonly Word[]): string[] {
    const pronouns = words.filter((word) => isOneOf(word, 'he him his she her'));
    const names = [...new Set(pronouns.map(({ lower }) => lower))].flatMap((lower) => this.resolve(lower));
    return [...new Set(names)].filter((name) => !name.startsWith(USER_NAME));
  }

  /** Returns whom a pronoun means; empty if that is ambiguous. */
  resolve(pronoun: string): readonly string[] {
    if (/^(?:he|him|his)$/u.test(pronoun)) return this.#latestPerson('male', 'female');
    if (/^(?:she|her)$/u.test(pronoun)) return this.#latestPerson('female', 'male');
    const isThing = /^its?$/u.test(pronoun);
    if (!isThing && this.#group && this.#sentence - this.#group.sentence <= REACH) return this.#group.names;
    const kind = isThing ? 'title' : 'person';
    const found = this.#latest((known) => known.kind === 'organization' || known.kind === kind);
    const only = onlyOf(found, (known) => known.isSubject);
    return only ? [only.name] : [];
  }

  #latestPerson(gender: 'male' | 'female', other: 'male' | 'female'): readonly string[] {
    const found = this.#latest((known) => known.kind === 'person' && known.gender !== other);
    const last = found[0]?.sentence ?? -Infinity;
    // A name mentioned since then, with unknown gender, may be meant instead.
    const isUnsure = [...this.#known.values()].some(
      ({ kind, sentence, isSubject }) =>
        (kind === 'name' || kind === undefined) && (sentence > last || (sentence === last && isSubject)),
    );
    if (isUnsure) return [];
    const only = onlyOf(
      found,
      (known) => known.gender === gender,
      (known) => known.isSubject,
    );
    if (!only) return [];
    only.gender ??= gender;
    return [only.name];
  }

  /** Returns what fits and was mentioned last. */
  #latest(fits: (known: Known) => boolean): readonly Known[] {
    const inReach = [...this.#known.values()].filter(
      (known) => fits(known) && this.#sentence - known.sentence <= REACH,
    );
    const last = Math.max(...inReach.map(({ sentence }) => sentence));
    return inReach.filter(({ sentence }) => sentence === last);
  }
}

/** Whether a word that is nobody's name is somebody who speaks: `and inspector says`. */
function isReporter(words: readonly Word[], index: number): boolean {
  const [word, verb] = words.slice(index);
  const before = words[index - 1];
  const isOpen = !before || before.kind === 'mark' || isOneOf(before, 'and but so then');
  const isNoun =
    word !== undefined &&
    !word.isCapital &&
    hasTag(word, 'Noun') &&
    !hasTag(word, 'Pronoun') &&
    !isPersonKin(word.lower);
  return isOpen && isNoun && isOneOf(verb, 'says said thinks thought told wants asked');
}

/** Returns the only candidate with a name. Of several, those that are better come first. */
function onlyOf(
  candidates: readonly Known[],
  ...better: readonly ((known: Known) => boolean)[]
): Known | undefined {
  const [only, ...others] = better.reduce((left, isBetter) => {
    const best = left.filter(isBetter);
    return best.length > 0 ? best : left;
  }, candidates);
  return others.length > 0 || only?.name.startsWith(NAMELESS) ? undefined : only;
}
