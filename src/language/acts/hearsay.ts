import { isPersonal } from '../question-features.ts';
import { sentencesIn } from '../sentences.ts';
import type { Span } from '../text-spans.ts';
import { regex } from '../words/lists.ts';

/** What somebody else has said, without quotation marks. */
export interface Hearsay extends Span {
  /** Whether it is certainly in their words: it follows a colon or the name of a source. */
  readonly isVerbatim: boolean;
}

/**
 * Returns what others are told to have said: "Bob wrote: I moved" to the end of its paragraph, "her words were I live
 * there" and "I live there, said Bob" to the end of the sentence. In "my doctor said I am diabetic" the user is meant.
 */
export function hearsay(text: string, paragraphs: readonly Span[]): Hearsay[] {
  return paragraphs.flatMap((paragraph) => {
    const said = text.slice(paragraph.start, paragraph.end);
    const found: Hearsay[] = [];
    for (const { start, end } of sentencesIn(said, 'whole')) {
      const sentence = said.slice(start, end);
      const told = TOLD.exec(sentence);
      if (told?.groups) {
        const { who2 = '', verb = 'says' } = told.groups;
        const { who = who2 } = told.groups;
        const colon: string = told.groups['colon'] ?? told.groups['colon2'] ?? '';
        const at = start + told.index + told[0].length;
        if (OPENING_MARK.test(said.slice(start + told.index + told[0].length))) continue;
        const isVerbatim = colon.includes(':') || colon.includes('：');
        const isAboutUser = EXPERT.test(who) && SPOKE.test(verb) && !colon.trimStart().startsWith(',');
        if (!ME.test(who) && (isVerbatim || !isAboutUser))
          found.push({
            start: paragraph.start + at,
            end: isVerbatim ? paragraph.start + endOfTold(said, at) : paragraph.start + end,
            isVerbatim,
          });
        if (isVerbatim) break;
        continue;
      }
      const words = THEIR_WORDS.exec(sentence);
      if (words)
        found.push({
          start: paragraph.start + start,
          end: paragraph.start + start + words.index,
          isVerbatim: false,
        });
      const after = words ? null : SAID_AFTER.exec(sentence);
      const by = after?.groups?.['who'] ?? '';
      if (after && !ME.test(by) && !EXPERT.test(by))
        found.push({
          start: paragraph.start + start,
          end: paragraph.start + start + after.index,
          isVerbatim: false,
        });
    }
    return found;
  });
}

/** On the line of the colon it ends with it. Words in the first person go on; others are told as one sentence. */
function endOfTold(said: string, at: number): number {
  const line = said.indexOf('\n', at);
  if (line >= 0 && !said.slice(0, at).trimEnd().endsWith('\n') && !/\n\s*$/u.test(said.slice(0, at)))
    return line;
  const [first] = sentencesIn(said.slice(at), 'whole');
  return !first ||
    isPersonal(said.slice(at, at + first.end)) ||
    /\n\s*$/u.test(said.slice(at, at + first.end))
    ? said.length
    : at + first.end;
}

/** A quotation is found by its own marks. */
const OPENING_MARK = /^["“„«»‹›「‘']/u;
const ME = /^(?:i|we|you|ich|wir|je|nous|on|yo|eu)\b/iu;
/** Those whose word about the user is about the user. */
const EXPERT =
  /\b(?:doctor|dr\.?|gp|nurse|dentist|therapist|physio\w*|vet|midwife|optician|dermatologist|boss|manager|hr|teacher|clinic|hospital|wife|husband|hubby|partner|girlfriend|boyfriend|mum|mom|mother|dad|father|parents|kids?|son|daughter|family|navy|army|council|landlord|landlady|bank|company|school|university|court|police|insurance|employer|tests?|results?|scans?|x-?rays?|mri|labs?|biopsy|screening|diagnosis|prescription|contract|certificate|payslip|scales?|thermometer|app|tracker|watch|office|union|embassy|arzt|ärztin|médecin|m[ée]dico|doctora?)\b/iu;
const SPOKE = /^(?:said|says|told|tells|reckons?|claims?|insists?|sagt|sagte|meint|dit|dice|diz)\b/iu;

/** Bounded, because each word is the beginning of what may follow. */
const WORD = String.raw`\p{L}[\p{L}'’.-]{0,30}`;
const GAP = String.raw`\s{1,3}`;
const VERBS = String.raw`(?:said|says|told|tells|texted|texts|wrote|writes|messaged|replied|answered|emailed|claims?|claimed|posted|commented|announced|insists?|reckons?|swears?|swore|sent|went|goes|states?|reads?|(?:was|is|were|'s) like|schrieb|schreibt|sagt|sagte|meinte|meint|écrit|dit|m'écrit|escribe|escribió|dice|dijo|escreveu|escreve|diz|disse)`;
const FIRST_PERSON = String.raw`(?:i|i'm|im|i've|ive|i'd|i'll|my|we|we're|we've|our|ich|mein\w*|wir|je|j'|mon|ma|mes|yo|mi|mis|eu|meu|minha)(?![\p{L}])`;

const TOLD = regex(
  String.raw`(?<![\p{L}\p{N}'’.-])(?<who>(?:(?:my|his|her|their|the|our|an?|some(?:one|body)|one|mein\w*|meine|ma|mon|mi|una?|minha|meu)${GAP})?(?:${WORD}${GAP}){0,2}?${WORD})${GAP}(?:just |also |then |once |always |has |had |exact )?(?<verb>${VERBS})(?: (?:me|us|him|her|back|on \w+|in (?:the|a|an) \p{L}+|to me))?(?<colon>\s{0,3}[:：]\s{0,9}(?=\S|$)|,?${GAP}(?:(?:that|like|mate|omg|well|look|dude|bro),? )*(?=${FIRST_PERSON}))
    (?:(?:his|her|their|the) (?:exact |own )?words (?:were|are)|(?:his|her|their) (?:exact |own )?words(?=\s{0,3}[:：])|in (?:his|her|their) (?:exact |own )?words|according to (?<who2>(?:the|a|an|my|his|her|this|that) \p{L}+))(?<colon2>\s{0,3}[:：]?,?${GAP})(?=${FIRST_PERSON})`,
  'iu',
);
const THEIR_WORDS =
  /(?<!\s),?\s{1,3}(?:his|her|their) words\b|(?<!\s)\s[-–—]\s{1,3}(?:that'?s )?(?:literally )?(?:all|what) (?:s?he|they) (?:wrote|said)\b/iu;
const SAID_AFTER = regex(
  String.raw`,${GAP}(?<who>(?:(?:my|his|her|their|the)${GAP})?(?:${WORD}${GAP}){0,2}?${WORD})${GAP}${VERBS}\s{0,3}[.!]?\s{0,9}$
    ,${GAP}${VERBS}${GAP}(?:my |the )?${WORD}\s{0,3}[.!]?\s{0,9}$`,
  'iu',
);
