import { fold, conceptsIn } from './concepts.ts';

/** What a question asks for, by its question word. */
export type AskedKind = 'when' | 'where' | 'who' | 'number' | 'whether' | 'what';

/** A question as far as words tell it. */
export interface Question {
  readonly kind: AskedKind;
  /** What it speaks of. */
  readonly meanings: ReadonlySet<string>;
  /** Speaks of the user: "my", "I". */
  readonly isAboutUser: boolean;
  /** Asks what answers: "Where do you live?" */
  readonly isAboutAssistant: boolean;
  /** Asks for all that is known of the user. */
  readonly asksForAll: boolean;
}

/** A message, divided into what it asks and what it tells. */
export interface Input {
  /** Its questions, in their order; none where it asks nothing. */
  readonly asked: readonly string[];
  /** Its other sentences; empty where there are none. */
  readonly told: string;
  /** Asks for work that no memory does: to write, translate or explain something. */
  readonly isTask: boolean;
}

/** @param text its first 4,000 characters are read: more is a text to work on */
export function readInput(text: string): Input {
  const sentences = sentencesIn(text.slice(0, MAX_CHARACTERS));
  const asked = sentences.filter(isQuestion);
  const told = sentences.filter((sentence) => !isQuestion(sentence) && !NOTHING_TOLD.test(fold(sentence)));
  const isTask = [...asked, ...told].some((sentence) => TASK.test(fold(sentence)));
  return { asked, told: told.join(' '), isTask };
}

const MAX_CHARACTERS = 4000;

export function readQuestion(text: string): Question {
  const folded = fold(text);
  const [kind] = KINDS.find(([, pattern]) => pattern.test(folded)) ?? ['what'];
  return {
    kind,
    meanings: conceptsIn(text),
    isAboutUser: isAboutUser(text),
    isAboutAssistant: ASSISTANT.test(folded) && !isAboutUser(text),
    asksForAll: FOR_ALL.test(folded),
  };
}

/** Whether a sentence speaks of the user, and not only in a frame such as "can you tell me". */
export function isAboutUser(text: string): boolean {
  return FIRST_PERSON.test(fold(text).replaceAll(FRAME, ' '));
}

/** Whether these are a few words that state nothing, as one types them into a search box. */
export function isFragment(text: string): boolean {
  const words = fold(text).match(/[\p{L}\p{N}']+/gu) ?? [];
  return words.length <= 4 && !STATES.test(words.join(' '));
}

/** Whether a sentence asks, with a question mark or without. */
export function isQuestion(sentence: string): boolean {
  return /[?？؟]["'”’)\s]*$/u.test(sentence) || ASKS.test(fold(sentence));
}

/** Whether words tell what a question of a kind asks for: a time, a place, a number. */
export function tells(kind: AskedKind, text: string): boolean {
  return TELLS[kind].test(text);
}

/** The sentences that somebody wrote in their own words: without code and quoted lines. */
export function sentencesIn(text: string): string[] {
  return text
    .replaceAll(QUOTED, '\n')
    .split(/(?<=[.!?…。！？؟])(?<!\b(?:st|dr|mrs?|ms|prof|no|vs|e\.g|i\.e)\.)\s+|\n+/iu)
    .map((sentence) => sentence.trim())
    .filter((sentence) => /\p{L}/u.test(sentence));
}

/** Code in fences, also where the fence stays open, and lines that are quoted. */
const QUOTED = /^[^\S\n]*(`{3,}|~{3,})[\s\S]*?(?:^[^\S\n]*\1[^\n]*$|$(?![\s\S]))|^[^\S\n]*>[^\n]*$/gmu;

const KINDS: readonly (readonly [AskedKind, RegExp])[] = [
  [
    'when',
    /\bwhen\b|\b(?:what|which) (?:day|date|month|year|time)\b|\bhow long ago\b|\bwhat's the date\b|\bbirthday\b/u,
  ],
  ['number', /\bhow (?:many|much|often|long|old|tall|heavy)\b/u],
  ['where', /\bwhere\b|\b(?:which|what) (?:city|town|country|place|street|address)\b/u],
  ['who', /\bwho(?:se|m|'s)?\b/u],
  ['whether', /^\W*(?:do|does|did|am|is|are|was|were|have|has|had|can|could|should|would|will|may)\b/u],
];

const START = String.raw`^\W*(?:(?:so|and|but|ok|okay|hey|hi|well|wait|hm+|um|please|pls|btw|actually|remind me|tell me|do you (?:know|remember)|can you (?:tell me|remember))\W+)*`;
const ASKS = new RegExp(
  String.raw`${START}(?:(?:what|when|where|who|whom|whose|which|why|how)(?:'?s|'re|'d|'ll)?\b(?! (?:a|an)\b)|(?:do|does|did|am|is|are|was|were|have|has|had|can|could|should|would|will|may) (?:i|we|you|he|she|it|they|my|our|your|the|there|this|that|his|her|their)\b|do you (?:know|remember)\b|tell me\b|remind me (?:of|about|what|when|where|who|how)\b)`,
  'u',
);
const TASK = new RegExp(
  String.raw`${START}(?:(?:can|could|would|will) you\s+)?(?:please\s+|pls\s+)?(?:help (?:me|us)|(?:write|translate|explain|summari[sz]e|draft|compose|rewrite|rephrase|proofread|calculate|compute|convert|solve|implement|debug|fix|generate|create|design|draw|list|sort|define|prove|simplify|outline|compare|describe|suggest|recommend|(?:give|show|find|make) me|tell me an?)\b)`,
  'u',
);
/** Greetings and thanks: they tell nothing. */
const NOTHING_TOLD =
  /^\W*(?:(?:hi|hello|hey|hiya|yo|good (?:morning|evening|afternoon|night)|thanks|thank you|thx|cheers|ok|okay|cool|great|nice|yes|no|yeah|yep|nope|sure|bye|goodbye|there|all|so much|a lot|very much|lol|haha)\W*)+$/u;
const FIRST_PERSON = /\b(?:i|i'm|im|i've|ive|i'd|i'll|me|my|mine|myself|we|we're|we've|we'll|us|our|ours)\b/u;
const FRAME =
  /\b(?:can|could|would|will) you (?:please )?(?:tell|help|give|show|teach|explain|remind)(?: to)? (?:me|us)\b|\b(?:tell|give|show|help|teach|remind) (?:me|us)\b(?! (?:about (?:me|us|my|our)))|\bhow (?:do|can|would|should|could) (?:i|we)\b|\bi (?:want|need|would like|'d like) to know\b|\bi(?:'m| am)? wonder(?:ing)?\b/gu;
const ASSISTANT =
  /\b(?:do|are|were|did|have|will|would|could|can) you\b(?! (?:know|remember|recall|tell|say)\b)|\byour\b/u;
const FOR_ALL =
  /\b(?:know|remember|learn(?:ed|t)?|noted?|stored?|saved?|have|tell me)\b.{0,24}\b(?:about|of|on) (?:me|us|myself)\b|\bwho am i\b/u;

const TELLS: Readonly<Record<AskedKind, RegExp>> = {
  when: /\b\d{1,2}(?:st|nd|rd|th|\s?[ap]m|[:.]\d\d)?\b|\b\d{4}\b|\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|\b(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b|\b(?:today|tonight|tomorrow|yesterday|morning|noon|evening|night|weekend|spring|summer|autumn|fall|winter|christmas|easter|(?:next|last|this) (?:week|month|year))\b/iu,
  where:
    /\b(?:in|at|from|to|near|outside|inside|on|with|under|behind|beside|above|next to|by|opposite)(?= |$)/iu,
  number:
    /\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|once|twice|no|never|every)\b/iu,
  who: /(?<=\P{L})\p{Lu}\p{Ll}|\b(?:my|our) \p{L}/u,
  whether: /\p{L}/u,
  what: /\p{L}/u,
};

/** Verbs by which a few words state something, and whom a wish is addressed to. */
const STATES =
  /'(?:s|re|m|ve|ll|d)\b|\b(?:is|are|am|was|were|be|has|have|had|got|will|can|does|do|did|went|you|your|\p{L}{2,}ed|\p{L}{2,}ing)\b/u;
