import { regex } from '../words/lists.ts';

/**
 * How a folded clause says how answers are to be. `told`: what the user likes in answers, or a request that speaks of
 * several of them. `asked`: a request that may also be about a text that is being written. `it`: one about "it".
 */
export type AnswerWish = 'told' | 'asked' | 'it';

/** Returns how a folded clause says how all answers are to be: "I hate long answers", "please don't use emojis". */
export function answerWishIn(folded: string): AnswerWish | undefined {
  if (TOLD.test(folded)) return 'told';
  return ASKED.test(folded) ? 'asked' : IT.test(folded) ? 'it' : undefined;
}

const OPENING = String.raw`^(?:(?:ok(?:ay)?|so|and|also|but|oh|hi|hey|actually|personally|by the way|btw|please|pls|plz|just|(?:can|could|would|will) you|you can|i'?d like you to)[, ]+)*`;
const ANSWERS = '(?:answers|replies|responses|explanations)';
/** What is said of an answer, but not whose it is. */
const SORT = String.raw`(?!(?:your|the|my|his|her|their|our|any|some|more|all|no|these|those|such|wrong|right)\b)\p{L}[\p{L}'-]+`;
const STYLE = String.raw`(?:emojis?|emoticons?|smileys?|bullets|bullet ?points?|exclamation (?:marks|points)|disclaimers?|caveats|jargon|filler|fluff|small talk|lectures?|lecturing|sugar-?coating)`;
const SPELLED = String.raw`(?:british|american|uk|us|plain|simple) (?:english|spelling)`;
const UNITS = String.raw`(?:(?:the )?(?:metric|imperial)(?: (?:units|system|measurements))?|celsius|fahrenheit)`;
/** Nothing follows that says of which text it is: "no emojis in the caption". */
const END = String.raw`(?=\s*(?:$|[.,!;)?]|\b(?:please|pls|plz|thanks|thank you|by the way|btw|at all|any ?more|over|rather than|instead of|and not|in your (?:answers|replies)|when you|with me|to me|from you)\b))`;

const TOLD = regex(
  String.raw`${OPENING}keep (?:all |your |the )*${ANSWERS} (?!for\b|to (?:the|my|this)\b|in\b)\p{L}+
    (?:${OPENING}|[,;] |\b(?:and|but|because) )(?:i|we)(?:'m| am)? (?:(?:really|just|also|always|much|do|strongly) )*(?:hate|prefer|like|love|dislike|can'?t stand|cannot stand|(?:don'?t|do not) (?:like|want|need)|not a fan of) (?:(?:${SORT} ){1,3}${ANSWERS}|(?:(?:any|too many|so many) )?${STYLE}|${SPELLED}|${UNITS})${END}`,
  'u',
);
const ASKED = regex(
  String.raw`${OPENING}(?:(?:don'?t|do not|never) (?:use|add|include|give me|write|send(?: me)?|put)|no need for|stop (?:using|adding|with)|avoid|skip|drop|no(?: more)?|without|less|fewer) (?:(?:any|all|the|so many|those|these|your) )*${STYLE}${END}
    ${OPENING}(?:write|answer|reply|respond|speak|talk)(?: to me)? in ${SPELLED}${END}
    ${OPENING}use (?:${SPELLED}|${UNITS})${END}
    ${OPENING}(?:don'?t|do not|never) (?:sugar-?coat|lecture|patroni[sz]e|flatter)(?: (?:things|anything|me|it))?${END}`,
  'u',
);
const IT = regex(
  String.raw`${OPENING}keep it (?:short|brief|concise|simple|short and (?:sweet|simple))(?:,? (?:please|pls|plz|thanks|thank you))?[.!]*$`,
  'u',
);
