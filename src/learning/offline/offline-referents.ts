import { USER_NAME } from '../first-person.ts';
import type { FoundName, NameKind } from './offline-names.ts';

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

  /** Adds a known name without making it a candidate for pronouns. */
  learn(name: string): void {
    const key = name.toLowerCase();
    if (key === USER_NAME || key === '' || this.#known.has(key)) return;
    this.#known.set(key, {
      name,
      kind: undefined,
      gender: undefined,
      sentence: -REACH - 1,
      isSubject: false,
    });
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

  /** Sets that a name is a person's, and which pronoun fits. */
  specify(name: string, kind: NameKind, gender?: 'male' | 'female'): void {
    const known = this.#known.get(name.toLowerCase());
    if (!known) return;
    known.kind = kind;
    known.gender ??= gender;
  }

  /** Replaces somebody without a name by the name that was given later. */
  replace(old: string, name: string): void {
    const known = this.#known.get(old.toLowerCase());
    const named = this.#known.get(name.toLowerCase());
    if (!known || !named) return;
    this.#known.delete(old.toLowerCase());
    named.isSubject ||= known.isSubject;
    named.gender ??= known.gender;
  }

  /** Adds a person without a name as a candidate for pronouns. */
  noteNameless(noun: string): void {
    this.note({ text: `${NAMELESS}${noun}`, kind: 'person' }, false);
  }

  noteGroup(names: readonly string[]): void {
    this.#group = { names, sentence: this.#sentence };
  }

  relate(owner: string, noun: string, name: string): void {
    this.#relatives.set(`${owner.toLowerCase()} ${noun.toLowerCase()}`, name);
  }

  relative(owner: string, noun: string): string | undefined {
    return this.#relatives.get(`${owner.toLowerCase()} ${noun.toLowerCase()}`);
  }

  /** Returns `Christopher Nolan` for `Nolan` if only one such person is known, in the spelling of the first mention. */
  fullName(text: string): string {
    const key = text.toLowerCase();
    const same = this.#known.get(key);
    if (same) return same.name;
    if (/\s/u.test(text)) return text;
    const longer = [...this.#known.entries()].filter(([other, { kind }]) => {
      const isPerson = kind === 'person' || kind === undefined || kind === 'name';
      return isPerson && (other.startsWith(`${key} `) || other.endsWith(` ${key}`));
    });
    return longer.length === 1 ? (longer[0]?.[1].name ?? text) : text;
  }

  /** Returns whom a pronoun means; empty if that is ambiguous. */
  resolve(pronoun: string): readonly string[] {
    switch (pronoun) {
      case 'he':
      case 'him':
      case 'his':
        return this.#latest(({ kind, gender }) => kind === 'person' && gender !== 'female', 'male');
      case 'she':
      case 'her':
        return this.#latest(({ kind, gender }) => kind === 'person' && gender !== 'male', 'female');
      case 'it':
      case 'its':
        return this.#latest(({ kind }) => kind === 'organization' || kind === 'title');
      default:
        if (this.#group && this.#sentence - this.#group.sentence <= REACH) return this.#group.names;
        return this.#latest(({ kind }) => kind === 'organization' || kind === 'person');
    }
  }

  #latest(fits: (known: Known) => boolean, gender?: 'male' | 'female'): readonly string[] {
    const inReach = [...this.#known.values()].filter(
      (known) => fits(known) && this.#sentence - known.sentence <= REACH,
    );
    const last = Math.max(...inReach.map(({ sentence }) => sentence));
    // A name mentioned since then, with unknown gender, may be meant instead.
    const isUnsure =
      gender !== undefined &&
      [...this.#known.values()].some(
        ({ kind, sentence, isSubject }) =>
          (kind === 'name' || kind === undefined) && (sentence > last || (sentence === last && isSubject)),
      );
    if (isUnsure) return [];
    let candidates = inReach.filter(({ sentence }) => sentence === last);
    for (const isBetter of [
      (known: Known) => gender !== undefined && known.gender === gender,
      (known: Known) => gender !== undefined && known.kind === 'person',
      (known: Known) => known.isSubject,
    ]) {
      const better = candidates.filter(isBetter);
      if (better.length > 0) candidates = better;
    }
    const [only, ...others] = candidates;
    if (!only || others.length > 0 || only.name.startsWith(NAMELESS)) return [];
    if (gender !== undefined) {
      only.kind = 'person';
      only.gender ??= gender;
    }
    return [only.name];
  }
}
