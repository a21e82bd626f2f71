import { fold } from './fold.ts';
import { peopleIn } from './people.ts';
import { readText } from './read-text.ts';
import { analyze } from './terms.ts';
import { languageOf } from './text-language.ts';
import { lifeWords } from './words/life-words.ts';

/** What people tell of their lives. What everyday requests are about, such as food, is not among it. */
const OF_LIFE = ['work', 'home', 'vehicle', 'activity', 'health', 'date', 'negation'] as const;
/** Languages whose words of life are not known: see {@link lifeWords}. */
const UNREAD = /^(?:it|nl)?$/u;
/** An exclamation, a subject that is known, or a form of "to be": "the wedding is off", "tickets are booked". */
const STATES =
  /!|^(?:the|this|that|it|there|der|die|das|l[ae]s?|el|los)\s|(?<![\p{L}'])(?:is|are|was|were|ist|sind|war|waren|est|sont|es|son|esta|estan|fue|e|sao|foi)(?![\p{L}'])|\p{L}'(?:s|re|ve)(?!\p{L})/u;
/** What may be a name and what somebody does: "Gerhard fixed the heating". */
const MAY_BE_NAMED =
  /^\p{Lu}[\p{Ll}'’-]+ (?:\p{Ll}+(?:ed|s|te?|ó|ou)|ha[ds]?|will|can|said|came|made|took|broke|a)(?!\p{L})/u;

/**
 * Whether a text states nothing of a person or of somebody's life, as most everyday requests that have no form of a
 * request: "sql to find duplicate rows in a table". False for a text that denies something, and for one whose language is
 * not known or has too few words here to tell.
 */
export function speaksOfNobody(text: string): boolean {
  const folded = fold(text);
  if (STATES.test(folded) || MAY_BE_NAMED.test(text)) return false;
  if (UNREAD.test(languageOf(analyze(text)) ?? '')) return false;
  const { isUser, roles, names, isReferred, subject } = peopleIn(text);
  if (isUser || isReferred || subject !== undefined || roles.size + names.size > 0) return false;
  const life = lifeWords(folded);
  return readText(text).features.isPersonal === 0 && OF_LIFE.every((kind) => !life[kind]);
}
