import { foldName } from '../language/fold.ts';

/** A predicate reduced to what determines its meaning. */
export interface PredicateForm {
  /** Equal for `lives in`, `Live in`, `now lives in` and `does not live in`. */
  readonly key: string;
  /** Whether the predicate is negated. */
  readonly isNegated: boolean;
  /**
   * Key of the predicate that this one ends while it stays true itself: `used to live in` and `moved out of` end
   * `lives in`, and a later `lives in` does not end them.
   */
  readonly denies?: string;
}

const ARTICLES = new Set(['a', 'an', 'the', 'my', 'his', 'her', 'its', 'our', 'your', 'their']);
const NEGATIONS = new Set(['not', 'never', 'no']);
/** Adverbs that add nothing to the present tense. */
const PRESENT = /\b(?:now|currently|presently|nowadays|still|anymore|any (?:more|longer))\b/gu;
const LEMMAS: ReadonlyMap<string, string> = new Map(
  "am:be is:be are:be 's:be has:have does:do goes:go colour:color favourite:favorite"
    .split(' ')
    .map((pair) => pair.split(':') as [string, string]),
);

/**
 * Predicates that end another one between the same two entities. Only predicates that rule out the other are listed.
 */
const ENDINGS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'be engaged to': ['be married to'],
    'be married to': ['be divorced from', 'divorced', 'got divorced from'],
    'be dating': ['broke up with'],
    'work at': 'left job at|quit job at|resigned from|retired from|was fired from|was laid off from'.split(
      '|',
    ),
    'live in': ['moved out of', 'moved away from'],
  }).flatMap(([ended, endings]) => endings.map((ending) => [ending, ended] as const)),
);
/** A list of verbs, because others have another meaning: `used to treat` may be short for `is used to treat`. */
const USED_TO =
  /^used to (?=(?:be|live|reside|work|study|like|love|hate|enjoy|have|own|play|smoke|drink|speak|date)\b)/u;
const STOPPED = /^(?:have )?(?:stopped|quit|gave up|given up) (?=\p{L}{2,}ing\b)/u;
/** Verbs that drop an e before -ing. */
const STEMS_WITH_E = new Set(
  'lik lov hat liv smok us driv rid tak mak writ danc hik bak giv hav practic stor shar cycl dat serv manag'.split(
    ' ',
  ),
);

/** Maximum number of cached forms. Most of thousands of facts share a few dozen predicates. */
const MAX_CACHED_PREDICATES = 512;
const known = new Map<string, PredicateForm>();

/** Returns the form in which predicates are compared. Handles English; predicates in other languages pass through. */
export function predicateForm(predicate: string): PredicateForm {
  const before = known.get(predicate);
  if (before) return before;
  const form = formOf(predicate);
  if (known.size === MAX_CACHED_PREDICATES) known.clear();
  known.set(predicate, form);
  return form;
}

function formOf(predicate: string): PredicateForm {
  const plain = foldName(predicate)
    .replaceAll('’', "'")
    .replaceAll(/\bcan't\b|\bcannot\b/gu, 'can not')
    .replaceAll(/\bwon't\b/gu, 'will not')
    .replaceAll(/n't(?=\s|$)/gu, ' not')
    .replaceAll(/[\s_]+/gu, ' ')
    .trim();
  const words = (plain.replaceAll(PRESENT, ' ').trim() || plain).split(/ +/u);
  const isNegated = words.some((word) => NEGATIONS.has(word));
  const kept = words
    .filter((word, index) => !NEGATIONS.has(word) && !(word === 'longer' && words[index - 1] === 'no'))
    .filter((word) => !ARTICLES.has(word))
    .map((word) => LEMMAS.get(word) ?? word);
  // "does not like" negates "likes".
  if (isNegated && kept[0] === 'do' && kept.length > 1) kept.shift();
  const [first, ...rest] = kept;
  if (first === undefined) return { key: words.join(' '), isNegated: false };
  const key = [withoutThirdPerson(first), ...rest].join(' ');
  if (/^dislike(?= |$)/u.test(key)) return { key: key.slice('dis'.length), isNegated: !isNegated };
  const denies = isNegated ? undefined : (ENDINGS.get(key) ?? endedPredicate(key));
  return { key, isNegated, ...(denies === undefined ? {} : { denies }) };
}

/** Returns the predicate that denies one: `does not live in` for `lives in`. */
export function deniedPredicate(predicate: string): string {
  const [verb = '', ...rest] = predicate.trim().split(/\s+/u);
  if (MODALS.test(verb)) return [verb, 'not', ...rest].join(' ');
  return ['does not', verb === 'has' ? 'have' : withoutThirdPerson(verb), ...rest].join(' ');
}

const MODALS = /^(?:is|are|was|were|can|could|will|would|must|should|may|might)$/u;

/** Returns `play` for `used to play` and `stopped playing`. */
function endedPredicate(key: string): string | undefined {
  if (USED_TO.test(key)) return key.replace(USED_TO, '');
  if (!STOPPED.test(key)) return undefined;
  const [gerund = '', ...rest] = key.replace(STOPPED, '').split(' ');
  return [withoutGerund(gerund), ...rest].join(' ');
}

function withoutGerund(verb: string): string {
  const stem = verb.slice(0, -'ing'.length);
  if (STEMS_WITH_E.has(stem)) return `${stem}e`;
  return stem.replace(/([bdgmnprt])\1$/u, '$1');
}

function withoutThirdPerson(verb: string): string {
  if (/[^aeiou]ies$/u.test(verb) && verb.length > 4) return `${verb.slice(0, -3)}y`;
  if (/(?:ss|sh|ch|x|z|o)es$/u.test(verb)) return verb.slice(0, -2);
  return /[^suia]s$/u.test(verb) && verb.length > 2 ? verb.slice(0, -1) : verb;
}
