/** A predicate without what does not change its meaning. */
export interface PredicateForm {
  /** The same for `lives in`, `Live in` and `does not live in`. */
  readonly key: string;
  /** Whether it says that the rest is not so. */
  readonly isNegated: boolean;
}

const ARTICLES = new Set(['a', 'an', 'the', 'my', 'his', 'her', 'its', 'our', 'your', 'their']);
const NEGATIONS = new Set(['not', 'never', 'no']);
const LEMMAS: ReadonlyMap<string, string> = new Map([
  ['am', 'be'],
  ['is', 'be'],
  ['are', 'be'],
  ["'s", 'be'],
  ['has', 'have'],
  ['does', 'do'],
  ['goes', 'go'],
  ['colour', 'color'],
  ['favourite', 'favorite'],
]);

/** Brings a predicate into the form in which predicates are compared. English; other languages pass as they are. */
export function predicateForm(predicate: string): PredicateForm {
  const words = predicate
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll('’', "'")
    .replaceAll(/\bcan't\b|\bcannot\b/gu, 'can not')
    .replaceAll(/\bwon't\b/gu, 'will not')
    .replaceAll(/n't(?=\s|$)/gu, ' not')
    .split(/[\s_]+/u)
    .filter((word) => word !== '');
  const isNegated = words.some((word) => NEGATIONS.has(word));
  const kept = words
    .filter((word, index) => !NEGATIONS.has(word) && !(word === 'longer' && words[index - 1] === 'no'))
    .filter((word) => !ARTICLES.has(word))
    .map((word) => LEMMAS.get(word) ?? word);
  // "does not like" denies what "likes" says.
  if (isNegated && kept[0] === 'do' && kept.length > 1) kept.shift();
  const [first, ...rest] = kept;
  if (first === undefined) return { key: words.join(' '), isNegated: false };
  return { key: [withoutThirdPerson(first), ...rest].join(' '), isNegated };
}

function withoutThirdPerson(verb: string): string {
  if (/[^aeiou]ies$/u.test(verb) && verb.length > 4) return `${verb.slice(0, -3)}y`;
  if (/(?:ss|sh|ch|x|z|o)es$/u.test(verb)) return verb.slice(0, -2);
  return /[^suia]s$/u.test(verb) && verb.length > 2 ? verb.slice(0, -1) : verb;
}
