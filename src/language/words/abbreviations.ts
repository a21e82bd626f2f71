/** Abbreviations that end with a full stop and do not end a sentence, one language a line, whatever their case. */
const ABBREVIATIONS = String.raw`
dr mr mrs ms prof st sr jr vs etc e\.g i\.e approx
z\.b bzw d\.h
sra srta
mme mlle
`;

/** Abbreviations of companies, which end a sentence unless a word in lower case follows. */
const COMPANIES = 'inc ltd corp co';

/** Courtesy titles. */
export const TITLES: readonly string[] = 'mr mrs ms dr prof sir'.split(' ');

/** Whether a word in lower case is a courtesy title, with or without its full stop. */
export function isTitle(word: string): boolean {
  return TITLES.includes(word.replace(/\.$/u, ''));
}

/** The characters after which an abbreviation or an initial stands. */
const BEFORE = String.raw`(?:^|[\s("“„«])`;

const ABBREVIATED = new RegExp(
  String.raw`${BEFORE}(?:${ABBREVIATIONS.trim().split(/\s+/).join('|')})\.$`,
  'iu',
);
const INITIAL = new RegExp(String.raw`${BEFORE}\p{Lu}\.$`, 'u');
/** Abbreviations only before a number: "No. 5" and "ca. 5 km", but "Oh no. I forgot." and "Palo Alto, CA. I moved." */
const BEFORE_NUMBER = new RegExp(String.raw`${BEFORE}(?:no|ca)\.$`, 'iu');

/**
 * Whether a text ends in an abbreviation or an initial with its full stop: `Dr.`, `e.g.`, `J.`, `No.` before a number.
 *
 * @param next what follows it, without spaces
 */
export function endsAbbreviated(text: string, next: string): boolean {
  return ABBREVIATED.test(text) || INITIAL.test(text) || (BEFORE_NUMBER.test(text) && /^\d/.test(next));
}

/** Matches a text that ends in the abbreviation of a company: `Ltd.` */
export const ENDS_COMPANY: RegExp = new RegExp(String.raw`\b(?:${COMPANIES.replaceAll(' ', '|')})\.$`, 'iu');

/** A word with the full stop that belongs to it, for use in a pattern. */
export const ABBREVIATED_WORD: string = String.raw`(?:Dr|Mr|Mrs|Ms|Prof|St|Jr|Sr|Inc|Ltd|Corp|Co)\.|(?:\p{Lu}\.)+(?=\s|$)`;

/**
 * Whether a text ends in a German ordinal with its full stop: "am 12." before "September", "der 3." before "Platz".
 *
 * @param rest what follows, without spaces
 */
export function endsInOrdinal(text: string, rest: string): boolean {
  return (ORDINAL.test(text) && MONTH_OR_ROW.test(rest)) || (COUNTED.test(text) && /^\p{Lu}/u.test(rest));
}

const ORDINAL = /(?:^|[\s(–-])\d{1,2}\.$/u;
const MONTH_OR_ROW =
  /^(?:Jan(?:uar)?|Jänner|Feb(?:ruar)?|März|April?|Mai|Juni?|Juli?|Aug(?:ust)?|Sept?(?:ember)?|Okt(?:ober)?|Nov(?:ember)?|Dez(?:ember)?|Semester|Stock|Klasse|Lehrjahr|Jahrhundert|Geburtstag|Quartal|Platz|\d{1,2}\.|(?:bis|und|oder) (?:zum )?\d)(?!\p{L})/u;
/** Articles that are words of no other language where a number could end a sentence behind them. */
const COUNTED = /(?:^|\s)(?:der|den|dem|das|des|vom|zum|zur|beim) \d{1,2}\.$/u;
