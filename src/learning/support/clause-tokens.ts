import { fold } from '../../language/fold.ts';
import { analyze } from '../../language/terms.ts';

/** A word of a sentence. Contractions are two: "I'm" is "i" and "am". */
export interface Token {
  /** The word as it is compared. */
  readonly word: string;
  /** Its index term. */
  readonly term: string;
  readonly isCapital: boolean;
  /** Place in the text, in UTF-16 code units. */
  readonly start: number;
  readonly end: number;
}

/** A part of a sentence between commas, other marks and conjunctions. */
export interface Segment {
  readonly tokens: readonly Token[];
  /** Whether its sentence ends with a question mark. */
  readonly isAsked: boolean;
  /** Whether it has a subject of its own, or is the first of its sentence. Others continue the segment before. */
  readonly isClause: boolean;
}

/** Returns the segments of a sentence. @param start place of the sentence in the text */
export function segmentsOf(sentence: string, start: number, isAsked: boolean): Segment[] {
  const parts: Token[][] = [[]];
  let end = 0;
  for (const match of sentence.matchAll(WORD)) {
    const raw = match[0];
    if (BREAK.test(sentence.slice(end, match.index))) parts.push([]);
    end = match.index + raw.length;
    const place = { start: start + match.index, end: start + end };
    const isCapital = /^\p{Lu}/u.test(raw);
    for (const word of expand(fold(raw))) {
      if (CONJUNCTION.has(word) && (parts.at(-1)?.length ?? 0) > 0) parts.push([]);
      parts.at(-1)?.push({ word, term: analyze(word)[0] ?? word, isCapital, ...place });
    }
  }
  return parts
    .filter((tokens) => tokens.length > 0)
    .map((tokens, at) => ({ tokens, isAsked, isClause: at === 0 || hasSubject(tokens) }));
}

const WORD = /[\p{L}\p{N}]+(?:[.,](?=\d)\p{N}+|['’]\p{L}+)*/gu;
const BREAK = /[,;:()[\]—–…/"“”„«»]|\s-\s/u;
const CONJUNCTION: ReadonlySet<string> = new Set(
  `and but or so because cause cuz although though while whereas since which who whom when where then plus
  und aber oder weil denn sondern wo y pero porque sino et mais ou car mas ed ma`.split(/\s+/u),
);
/** Words that a subject begins with. */
export const SUBJECTS: ReadonlySet<string> = new Set(
  `i we you he she it they this that there my our your his her their the ich wir du er sie es mein meine unser unsere
  yo nosotros el ella mi mis nuestro nuestra je j nous on il elle ils elles mon ma mes notre nos eu ela ele meu minha
  nosso nossa io noi lei lui mio mia`.split(/\s+/u),
);
/** An article or a possessive begins a subject only if a verb can follow: "and my sister" in a list is not a subject. */
const LEADS: ReadonlySet<string> = new Set(
  `the my our your his her their this that mein meine unser unsere mi mis nuestro nuestra mon ma mes notre nos meu minha
  nosso nossa mio mia`.split(/\s+/u),
);

function hasSubject(tokens: readonly Token[]): boolean {
  const own = CONJUNCTION.has(tokens[0]?.word ?? '') ? tokens.slice(1) : tokens;
  const first = own[0]?.word ?? '';
  if (!SUBJECTS.has(first)) return own[0]?.isCapital === true && own.length > 2;
  return own.length > (LEADS.has(first) ? 2 : 1);
}

/** Returns a folded word without contraction. */
function expand(word: string): string[] {
  const known = CONTRACTIONS.get(word);
  if (known !== undefined) return known.split(' ');
  const [, base = '', tail = ''] = /^(.+)'(m|re|ve|ll|d|s)$/u.exec(word) ?? [];
  if (base !== '')
    return tail === 's' ? (IS_AFTER.has(base) ? [base, 'is'] : [base, "'s"]) : [base, TAILS[tail] ?? tail];
  if (word.endsWith("n't")) return [word.slice(0, -3), 'not'];
  const [, article = '', rest = ''] = /^(j|n|l|d|m|s|qu|c|un|all|dell|nell)'(.+)$/u.exec(word) ?? [];
  return article === '' ? [word] : [article, rest];
}

const TAILS: Readonly<Record<string, string>> = { m: 'am', re: 'are', ve: 'have', ll: 'will', d: 'would' };
const IS_AFTER = new Set(['he', 'she', 'it', 'that', 'there', 'here', 'what', 'who', 'name', 'where']);
const CONTRACTIONS: ReadonlyMap<string, string> = new Map(
  `im:i am|ive:i have|i'd:i would|dont:do not|doesnt:does not|didnt:did not|isnt:is not|arent:are not|wasnt:was not|
  cant:can not|cannot:can not|can't:can not|wont:will not|won't:will not|ain't:is not|havent:have not|hasnt:has not|
  couldnt:could not|wouldnt:would not|shan't:shall not`
    .split(/\|\s*/u)
    .map((pair): [string, string] => [pair.slice(0, pair.indexOf(':')), pair.slice(pair.indexOf(':') + 1)]),
);
