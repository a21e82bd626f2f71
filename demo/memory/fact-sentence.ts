import type { MemoryFact } from '../../src/index.ts';

/** The subject, predicate and object of a fact. */
export type FactWords = Pick<MemoryFact, 'subject' | 'predicate' | 'object'>;

/**
 * States a fact as a sentence that addresses the user: `You live in Leipzig`, `Your sister is Hannah`, `Tom is vegan`.
 * The sentence begins with a capital and has no period. Facts are stored in the third person and in English.
 */
export function sentenceTo({ subject, predicate, object }: FactWords): string {
  const words = predicate.trim().split(/\s+/u);
  const what = toSecondPerson(object.trim());
  const sentence = property(subject, words, what) ?? clause(subject, words, what);
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

/** A name that addresses the user: `Your sister` for `user's sister`. */
export function nameTo(name: string): string {
  const said = named(name);
  return said.charAt(0).toUpperCase() + said.slice(1);
}

/** A note about "the user" that addresses the user: `your doctor` for `the user's doctor`. */
export function noteTo(note: string): string {
  return note.replaceAll(/\bthe user['’]s\b/giu, (words) => (words.startsWith('T') ? 'Your' : 'your'));
}

/** What the memory calls the person who chats. */
export const USER = 'user';

/** States `has sister Hannah` and `favorite color blue` as a property: `Your sister is Hannah`. */
function property(subject: string, words: readonly string[], object: string): string | undefined {
  const [first = '', second = ''] = words;
  if (words.join(' ') === 'is named') return `${owned(subject)} name is ${object}`;
  const isPossession = first === 'has' && second !== '' && !isVerb(second) && !NO_PROPERTY.test(second);
  if (!isPossession && !PROPERTY_START.test(first)) return undefined;
  const noun = (isPossession ? words.slice(1) : words).join(' ');
  const [be, weigh] = subject === USER ? ['are', 'weigh'] : ['is', 'weighs'];
  switch (noun) {
    case 'age':
      return `${named(subject)} ${be} ${/^\d+$/u.test(object) ? `${object} years old` : object}`;
    case 'height':
      return `${named(subject)} ${be} ${object} tall`;
    case 'weight':
      return `${named(subject)} ${weigh} ${object}`;
    case 'marital status':
      return `${named(subject)} ${be} ${object}`;
    default:
      return `${owned(subject)} ${noun} is ${object}`;
  }
}

/** States `lives in Leipzig` as a clause whose verb agrees with the subject. */
function clause(subject: string, words: readonly string[], object: string): string {
  const at = words.findIndex((word) => !ADVERB.test(word));
  const verb = words[at];
  // Words of another language, or of a model, cannot be inflected.
  if (verb === undefined || !isVerb(verb)) {
    const rest = [...words, object].join(' ').trim();
    return rest === '' ? named(subject) : `${named(subject)}: ${rest}`;
  }
  const said = subject === USER ? words.with(at, secondPerson(verb)) : words;
  const isArticle = /^an?$/u.test(said.at(-1) ?? '');
  const phrase = isArticle ? [...said.slice(0, -1), article(object)] : said;
  return [named(subject), ...phrase, object].filter((word) => word !== '').join(' ');
}

/** The indefinite article for these words, or none if they begin with an article or a possessive. */
function article(words: string): string {
  if (/^(?:an?|the|your|his|her|their|our)\s/iu.test(words)) return '';
  return /^(?:[aeio]|u(?!ni|s[aeiu]|k\b))/iu.test(words) && !/^(?:eu|one\b)/iu.test(words) ? 'an' : 'a';
}

/** The second person of a verb: `live` for `lives`. Other tenses stay unchanged. */
function secondPerson(verb: string): string {
  const lower = verb.toLowerCase();
  const irregular = IRREGULAR.get(lower);
  if (irregular !== undefined) return irregular;
  if (!PRESENT.test(lower)) return verb;
  if (/[^aeiou]ies$/u.test(lower) && lower.length > 4) return `${verb.slice(0, -3)}y`;
  return /(?:ss|sh|ch|x|zz|o)es$/u.test(lower) ? verb.slice(0, -2) : verb.slice(0, -1);
}

function named(name: string): string {
  return name === USER ? 'you' : toSecondPerson(name);
}

/** The possessive: `Tom’s`, `your`, `your brother’s`. */
function owned(name: string): string {
  if (name === USER) return 'your';
  return `${toSecondPerson(name)}${/s$/iu.test(name) ? '’' : '’s'}`;
}

function toSecondPerson(words: string): string {
  if (/^(?:the )?user$/iu.test(words)) return 'you';
  return words.replace(/^(?:the )?user['’]s\s/iu, 'your ').replace(/^(?:my|our)\s/iu, 'your ');
}

/** Whether this is an English verb, or an adverb before one. */
function isVerb(word: string): boolean {
  const lower = word.toLowerCase();
  return (
    IRREGULAR.has(lower) || PRESENT.test(lower) || PAST.test(lower) || MODAL.test(lower) || ADVERB.test(lower)
  );
}

const IRREGULAR: ReadonlyMap<string, string> = new Map([
  ['is', 'are'],
  ["isn't", "aren't"],
  ['isn’t', 'aren’t'],
  ['was', 'were'],
  ["wasn't", "weren't"],
  ['wasn’t', 'weren’t'],
  ['has', 'have'],
  ["hasn't", "haven't"],
  ['hasn’t', 'haven’t'],
  ['does', 'do'],
  ["doesn't", "don't"],
  ['doesn’t', 'don’t'],
]);
const PRESENT = /^[a-z]{2,}(?<![su])s$/u;
const PAST =
  /^(?:[a-z]+ed|been|began|begun|bought|broke|broken|brought|built|came|caught|chose|did|done|drank|drove|ate|fell|felt|flew|forgot|found|gave|given|gone|got|grew|had|heard|held|hurt|kept|knew|known|learnt|led|left|lost|made|met|moved|paid|quit|ran|read|rode|said|sang|sat|saw|seen|sent|slept|sold|spent|spoke|stood|swam|taken|taught|thought|threw|told|took|tore|torn|understood|went|were|woke|won|wore|wrote|written)$/u;
const MODAL =
  /^(?:can|cannot|can't|can’t|could|may|might|must|shall|should|will|would|won't|won’t|not|never)$/u;
const ADVERB =
  /^(?:also|always|already|currently|ever|just|mostly|now|often|only|rarely|really|recently|regularly|sometimes|still|usually)$/u;
/** First words of a property that is stored without `has`. */
const PROPERTY_START = /^(?:favou?rite|preferred|native|current|full|first|last)$/iu;
/** Words after `has` that do not begin a property: `has a dog`, `has two cats`, `has to leave`. */
const NO_PROPERTY =
  /^(?:an?|the|no|not|never|some|any|many|much|more|most|several|few|to|one|two|three|four|five|six|seven|eight|nine|ten|\d.*)$/iu;
