/**
 * Converts the predicate of "I …", "you …" or "we …" to the third person: `am` becomes `is`, `live in` becomes `lives
 * in`. Handles English; words that may not be a verb in the first person stay as they are ("favorite color", "met",
 * "lives in").
 */
export function thirdPersonVerb(predicate: string): string {
  const words = predicate.split(' ');
  const at = words.findIndex((word) => !ADVERBS.has(word.toLowerCase()));
  const verb = words[at];
  if (verb === undefined) return predicate;
  const changed = conjugate(verb.replaceAll('’', "'"), words[at + 1]);
  return changed === undefined ? predicate : words.toSpliced(at, 1, changed).join(' ');
}

function conjugate(verb: string, next: string | undefined): string | undefined {
  const lower = verb.toLowerCase();
  const irregular = IRREGULAR.get(lower);
  if (irregular !== undefined) return irregular;
  const isVerb = VERBS.has(lower) || (next !== undefined && PREPOSITIONS.has(next.toLowerCase()));
  if (!isVerb || !/^[a-z]+$/u.test(lower) || NO_PRESENT.test(lower) || PAST.has(lower)) return undefined;
  if (/[^aeiou]y$/u.test(lower)) return `${lower.slice(0, -1)}ies`;
  return /(?:ss|sh|ch|x|z|o)$/u.test(lower) ? `${lower}es` : `${lower}s`;
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/u));

const IRREGULAR: ReadonlyMap<string, string> = new Map([
  ['am', 'is'],
  ['are', 'is'],
  ["'m", 'is'],
  ["'re", 'is'],
  ["aren't", "isn't"],
  ['were', 'was'],
  ["weren't", "wasn't"],
  ['have', 'has'],
  ["'ve", 'has'],
  ["haven't", "hasn't"],
  ['do', 'does'],
  ["don't", "doesn't"],
]);
// Already third person, a participle, or past tense.
const NO_PRESENT = /(?:[^s]s|ing|[^e]ed)$/u;
const ADVERBS = words(
  'also always already currently ever just mostly never not now often only rarely really recently regularly sometimes still usually',
);
const PREPOSITIONS = words('about as at by for from in into near of on onto out to up with');
const VERBS = words(
  `adore admire attend avoid become believe belong bike bring build buy call care carry collect come commute cook cost
  cycle dance direct dislike drink drive eat enjoy exercise feel find fly follow fear get give go grow hate hear help hike
  hold hope keep know lead lack learn leave like live look lose love make manage mean meet miss need often own paint pay
  plan play practice practise prefer raise read remember rent ride run say see sell send share sing ski sleep smoke speak
  spend start stay stop study suffer support swim take teach tell think train travel try understand use value visit
  walk want wash watch wear wish wonder work worry write`,
);
const PAST = words(
  `agreed became began bought broke brought built came caught chose did drank drove ate fell felt flew forgot found freed
  gave got grew had heard held hid kept knew led left lost made met moved paid ran rode said sang sat saw sent slept sold
  spent spoke stood swam taught thought threw told took understood was went woke won wore wrote`,
);
