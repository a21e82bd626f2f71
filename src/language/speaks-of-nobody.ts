import { fold } from './fold.ts';
import { peopleIn } from './people.ts';
import { readText } from './read-text.ts';
import { analyze } from './terms.ts';
import { languageOf } from './text-language.ts';
import { hasWord } from './words/life-words.ts';

/** What people tell of their lives, and what they deny. */
const OF_LIFE = ['work', 'home', 'vehicle', 'activity', 'health', 'diet', 'date', 'negation'] as const;
/** An exclamation, a subject that is known, or a form of "to be": "the wedding is off", "tickets are booked". */
const STATES = /!|^(?:the|this|that|it|there)\s|\b(?:is|are|was|were)\b|\p{L}'(?:s|re|ve)(?!\p{L})/u;
/** What may be a name and what somebody does: "Gerhard fixed the heating". */
const MAY_BE_NAMED =
  /^\p{Lu}[\p{Ll}'’-]+ (?:\p{Ll}+(?:ed|s)|had|will|can|said|came|made|took|broke)(?!\p{L})/u;

/**
 * Whether a text in English states nothing of a person or of somebody's life, as most everyday requests that have no form of
 * a request: "sql to find duplicate rows in a table". False for a text that denies something, and for one with too few
 * function words to tell its language. In other languages, too few words of people's lives are known.
 */
export function speaksOfNobody(text: string): boolean {
  const folded = fold(text);
  if (STATES.test(folded) || MAY_BE_NAMED.test(text) || languageOf(analyze(text)) !== 'en') return false;
  const { isUser, roles, names, isReferred, subject } = peopleIn(text);
  if (isUser || isReferred || subject !== undefined || roles.size + names.size > 0) return false;
  return readText(text).features.isPersonal === 0 && !OF_LIFE.some((kind) => hasWord(folded, kind));
}
