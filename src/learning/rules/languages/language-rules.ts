import { rowsOf } from '../../../language/words/lexicon.ts';
import { regex } from '../../../language/words/lists.ts';

/** Words of a language and the shapes of clauses in it, as sources of patterns: alternatives separated by `|` or lines. */
export interface LanguageRules {
  /** Pronouns of the user. */
  readonly subjects: string;
  /** Words that join two clauses, or the parts of a list. */
  readonly conjunctions: string;
  readonly lists: string;
  /** What may stand in front of a clause. */
  readonly opening: string;
  /** Adverbs and times without which a clause says the same. */
  readonly fillers: string;
  /** Whether a verb can stand in front of its pronoun in statements: "seit März wohne ich in Köln". */
  readonly isInverted?: boolean;
  /** Possessives of the user. */
  readonly own: string;
  /** Whether nouns have capitals, so that a capital makes no name. */
  readonly hasCapitalNouns?: boolean;
  /** Nouns for people and pets by their English name. */
  readonly kin: Readonly<Record<string, string>>;
  /** Words with a capital that are no place, and no name. */
  readonly noPlaces: string;
  readonly noNames: string;
  readonly jobs: string;
  /** Words that no thing can contain: pronouns, conjunctions, negations. */
  readonly bans: string;
  readonly articles: string;
  /** Words that begin a clause which limits the one before it: "Ich mag Leute, die lachen". */
  readonly relatives: string;
  /** Prepositions that lead away from a thing: "soigneuse au zoo". */
  readonly prepositions: string;
  /** Titles in front of a surname. */
  readonly titles: string;
  /** What the slots of closed lists can be. */
  readonly words: Readonly<Record<string, string>>;
  /**
   * One shape a line: the clause, without what `fillers` matches, and the facts that it states, as predicate and slot. The
   * whole clause must match.
   */
  readonly table: string;
}

/** A shape of a clause and the facts that such a clause states. */
export interface LanguageShape {
  readonly pattern: RegExp;
  readonly slots: readonly string[];
  /** Predicate and slot of each fact; `{kin}` in a predicate stands for what that slot has. */
  readonly facts: readonly (readonly [predicate: string, slot: string])[];
}

/** The patterns of a language, each from the words of the same name in {@link LanguageRules}. */
export interface Language {
  readonly shapes: readonly LanguageShape[];
  readonly opening: RegExp;
  readonly fillers: RegExp;
  /** Groups `front`, `verb`, `pronoun` and `rest`. */
  readonly inverted: RegExp | undefined;
  readonly conjunction: RegExp;
  readonly subject: string;
  readonly listMark: RegExp;
  readonly article: RegExp;
  readonly ban: RegExp;
  readonly relative: RegExp;
  readonly noPlace: RegExp;
  readonly noName: RegExp;
  /** What stands for somebody of the user's: groups `kin` and `name`. */
  readonly person: RegExp;
  readonly date: RegExp;
  readonly job: RegExp;
  readonly hasCapitalNouns: boolean;
  readonly words: Readonly<Record<string, RegExp>>;
  /** "My sister Ana", whatever its letters: groups `kin`, `title` and `behind`, which begins with the name. */
  readonly named: RegExp;
  /** Returns the English name of a noun for somebody, or undefined. */
  kinOf(noun: string): string | undefined;
}

const BEHIND = String.raw`(?![\p{L}\p{N}'’])`;
const BEFORE = String.raw`(?<![\p{L}\p{N}'’])`;

export function compileLanguage(rules: LanguageRules): Language {
  const kin = Object.entries(rules.kin).map(([english, nouns]) => [english, whole(nouns)] as const);
  const nouns = Object.values(rules.kin).join('|');
  return {
    shapes: rowsOf(rules.table).map(([clause = '', facts = '']) => ({
      pattern: new RegExp(`^${clause.replaceAll(/\{(\w+)\}/gu, '(?<$1>.+?)')}$`, 'iu'),
      slots: Array.from(clause.matchAll(/\{(\w+)\}/gu), ([, slot = '']) => slot),
      facts: facts.split('; ').map((each): [string, string] => {
        const at = each.lastIndexOf(' {');
        return [each.slice(0, at), each.slice(at + 2, -1)];
      }),
    })),
    opening: regex(`^(?:${rules.opening})`, 'iu'),
    fillers: regex(`${BEFORE}(?:${rules.fillers})${BEHIND}`, 'giu'),
    inverted: rules.isInverted
      ? new RegExp(
          String.raw`^(?:(?<front>.{2,40}?)\s)?(?<verb>\p{L}+)\s(?<pronoun>${rules.subjects})(?<rest>\s.*|$)`,
          'iu',
        )
      : undefined,
    conjunction: new RegExp(String.raw`\s(?:${rules.conjunctions})\s`, 'iu'),
    subject: rules.subjects.split('|')[0] ?? '',
    listMark: new RegExp(String.raw`\s*,\s*(?:(?:${rules.lists})\s)?|\s(?:${rules.lists})\s`, 'iu'),
    article: new RegExp(`^(?:${rules.articles === '' ? '(?!)' : rules.articles})`, 'iu'),
    ban: regex(`${BEFORE}(?:${rules.bans}|${rules.prepositions})${BEHIND}`, 'iu'),
    relative: new RegExp(`^(?:${rules.relatives})${BEHIND}`, 'iu'),
    noPlace: whole(rules.noPlaces),
    noName: whole(rules.noNames),
    person: new RegExp(String.raw`^(?:${rules.own})\s(?<kin>${nouns})(?:,?\s(?<name>[\p{L}'’-]+))?,?$`, 'iu'),
    date: regex(
      String.raw`^\d{1,2}(?:\.|º|er)? ?(?:d[ei] )?(?:{monthElsewhere})(?:,? (?:de |del )?\d{4})?$|^\d{1,2}\.\d{1,2}\.(?:\d{2,4})?$`,
      'iu',
    ),
    job: whole(rules.jobs),
    hasCapitalNouns: rules.hasCapitalNouns === true,
    words: Object.fromEntries(Object.entries(rules.words).map(([slot, words]) => [slot, whole(words)])),
    named: new RegExp(
      String.raw`${BEFORE}(?:${rules.own})\s(?<kin>${nouns}),?\s(?<title>(?:${rules.titles})\s)?(?<behind>.*)$`,
      'iu',
    ),
    kinOf: (noun) => kin.find(([, pattern]) => pattern.test(noun))?.[0],
  };
}

function whole(words: string): RegExp {
  return regex(`^(?:${words})$`, 'iu');
}
