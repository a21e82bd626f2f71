/** One turn of an invented chat. */
export interface ToldTurn {
  readonly user: string;
  readonly assistant: string;
}

/** Chance that a sentence tells that the user's home and job have changed, or, up to the second one, says them again. */
const CHANGE = 1 / 2500;
const REPEAT = 1 / 400;
const MOST_SENTENCES = 4;

/**
 * An invented chat that grows as real ones do. Ten sentences over 155 words, as the chats of other benches have, tell a
 * user's home in each tenth turn: hundreds of homes compete as the one that holds, which they do for nobody.
 *
 * - Names and things have a long tail: new ones keep coming, ever more slowly, and most are said a few times only. By Heaps'
 *   law the number of words grows with an exponent of 0.6; measured in real chats were 0.5 and 0.7.
 * - The other words are common ones, each of them in a few percent of all turns, however many there are. They are needed:
 *   a turn shares a content word with 11, 13 and 36 percent of the others in three collections of real chats; here 25.
 * - What is learned of 1,000 turns is 1,600 claims, as in real chats, and more facts than in those: 500 instead of 120.
 * - The user moves house and changes jobs ten times in 10,000 turns, and says where they live and work sixty times. A
 *   question after a turn looks at each former home again, because such claims are worth most. In real chats of 3,800
 *   turns, 19 of the 169 claims worth most were over, so that sixty in 10,000 turns are about as many as there.
 */
export class InventedChat {
  readonly #random: () => number;
  readonly #words: Readonly<Record<string, LongTail>>;
  #home = '';
  #firm = '';

  constructor(random: () => number) {
    this.#random = random;
    this.#words = {
      person: new LongTail(random, PEOPLE, 1.5),
      place: new LongTail(random, PLACES, 1.5),
      firm: new LongTail(random, FIRMS, 1.5),
      thing: new LongTail(random, THINGS, 7),
      quality: new LongTail(random, QUALITIES, 2),
    };
  }

  turn(): ToldTurn {
    const sentences = Array.from({ length: this.#below(MOST_SENTENCES) + 1 }, () => this.#sentence());
    return { user: sentences.join(' '), assistant: this.#said(ANSWERS) };
  }

  /** The names and things said so far that were invented, in lower case. */
  rareWords(): Set<string> {
    return new Set(Object.values(this.#words).flatMap((words) => words.invented()));
  }

  /** What a user says next: a turn like the others, or a question about something that was said. */
  question(): string {
    return this.#random() < 0.5 ? this.turn().user : this.#said(QUESTIONS);
  }

  #sentence(): string {
    const chance = this.#random();
    if (chance < CHANGE || this.#home === '') {
      [this.#home, this.#firm] = [this.#said(['{place}']), this.#said(['{firm}'])];
      return `I moved to ${this.#home}. I work at ${this.#firm} now.`;
    }
    if (chance < REPEAT) return `I live in ${this.#home} and I work at ${this.#firm}.`;
    return this.#said(SENTENCES);
  }

  #said(templates: readonly string[]): string {
    const template = templates[this.#below(templates.length)] ?? '';
    return template.replaceAll(/\{(\w+)\}/gu, (_, kind: string) => this.#words[kind]?.next() ?? '');
  }

  #below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }
}

/** How much more slowly new words come the more there are: the number of words is about the number said to the power of 0.6. */
const SLOWING = 0.4;

/** Words of one kind. The next one is new, or one said before, which is the likelier the more often it was said. */
class LongTail {
  readonly #random: () => number;
  readonly #first: readonly string[];
  readonly #newness: number;
  readonly #said: string[] = [];
  #distinct = 0;

  /** @param first the words that are said first, and so most often. Later ones are invented, with a capital as these have. */
  constructor(random: () => number, first: readonly string[], newness: number) {
    this.#random = random;
    this.#first = first;
    this.#newness = newness;
  }

  next(): string {
    const count = this.#said.length;
    const isNew = count === 0 || this.#random() < this.#newness / count ** SLOWING;
    const word = isNew ? this.#new() : (this.#said[Math.floor(this.#random() * count)] ?? '');
    this.#said.push(word);
    return word;
  }

  invented(): string[] {
    const words = new Set(this.#said.map((word) => word.toLowerCase()));
    return [...words].filter((word) => !this.#first.some((known) => known.toLowerCase() === word));
  }

  #new(): string {
    const known = this.#first[this.#distinct++];
    if (known !== undefined) return known;
    const pick = (list: readonly string[]): string => list[Math.floor(this.#random() * list.length)] ?? '';
    const syllables = Array.from({ length: 3 }, () => pick(CONSONANTS) + pick(VOWELS));
    const invented = syllables.join('') + pick(ENDS);
    const isName = /^\p{Lu}/u.test(this.#first[0] ?? '');
    return isName ? invented.charAt(0).toUpperCase() + invented.slice(1) : invented;
  }
}

/** Returns an invented word with other letters: another one for each number from 1 to 13. */
export function renamed(word: string, by: number): string {
  return Array.from(word, (letter) => {
    const letters = [CONSONANTS, VOWELS].find((each) => each.includes(letter.toLowerCase())) ?? [];
    const other = letters[(letters.indexOf(letter.toLowerCase()) + by) % letters.length] ?? letter;
    return letter === letter.toLowerCase() ? other : other.toUpperCase();
  }).join('');
}

const words = (list: string): readonly string[] => list.split(/\s+/u);

const CONSONANTS = words('b d f g k l m n p r s t v z');
const VOWELS = words('a e i o u');
const ENDS = words('n r l s k t');

const PEOPLE = words(
  'Anna Boris Clara David Elena Felix Greta Hanna Igor Julia Kevin Laura Marco Nadia Oscar',
);
const PLACES = words('Paris Rome Oslo Lima Cairo Delhi Tokyo Berlin Madrid Boston Vienna Dublin');
const FIRMS = words('Acme Globex Siemens Google Initech Umbrella Equinor Philips');
const THINGS = words(
  `coffee bread garden bike train film book soup cake guitar phone car kitchen table dress camera tent boat lamp
  carpet jacket painting puzzle recipe contract passport ticket present speech poem`,
);
const QUALITIES = words(
  'old new green sweet quiet warm cold long short wild dark bright spicy modern cheap heavy',
);

/** Most sentences of real chats tell something that happened or ask for something; few tell a fact. */
const SENTENCES: readonly string[] = [
  'My friend {person} lives in {place}.',
  '{person} works at {firm} and likes the {thing}.',
  '{person} has a {quality} {thing}.',
  "My sister's boyfriend is called {person}.",
  'I love {quality} {thing}.',
  'I bought a {quality} {thing} in {place} last week.',
  'I am allergic to {thing}.',
  'I never liked the {thing} anyway.',
  'We went to {place} with {person} and saw the {quality} {thing}.',
  'I want to learn how to make a {thing} this year.',
  'Yesterday {person} showed me a {thing} and it was really {quality}.',
  'The {thing} broke again, so I need a {quality} one.',
  'I am meeting {person} on Friday to talk about the {thing}.',
  'My {thing} is too {quality} for the {thing}, I think.',
  'Tomorrow I have to bring the {thing} to {person}.',
  'Honestly the {quality} {thing} made my day.',
  'I gave up on the {thing} because it took too long.',
  '{person} said that the {thing} costs more than a {thing}.',
  'I am planning a trip to {place}, maybe with {person}.',
  'We decided to keep the {thing} after all.',
  'Can you help me write a message to {person} about the {thing}?',
  'How do I clean a {quality} {thing}?',
  'What goes well with {thing} and {thing}?',
  'Give me three ideas for a {quality} {thing}.',
  'Is {place} nice in spring?',
  'Please explain how a {thing} works.',
  'What is the difference between a {thing} and a {thing}?',
  'Sorry, I meant the {quality} one.',
  'Ok, thanks, that helps a lot.',
  'Do you know a good {thing} near {place}?',
];

const ANSWERS: readonly string[] = [
  'That sounds good. A {quality} {thing} may help.',
  'Good to know.',
  'Sure, here is an idea: try the {thing} first, then the {quality} {thing}.',
  'You could ask {person} about it.',
  'It depends on the {thing}. In {place} people often choose a {quality} one.',
];

const QUESTIONS: readonly string[] = [
  'Where does {person} live?',
  'What did I say about the {thing}?',
  'Where did I buy the {quality} {thing}?',
  'What does {person} like?',
  'Where do I live?',
  'When did we go to {place}?',
];
