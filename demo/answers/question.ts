import { sentencesOf } from '../../src/extract.ts';
import { fold, conceptsIn } from './concepts.ts';

/** What a question asks for, by its question word. */
export type QuestionKind = 'when' | 'where' | 'who' | 'number' | 'whether' | 'what';

/** What the words of a question say about it. */
export interface Question {
  readonly kind: QuestionKind;
  /** The concepts that it mentions. */
  readonly concepts: ReadonlySet<string>;
  /** Whether it is about the user: "my", "I". */
  readonly isAboutUser: boolean;
  /** Whether it is about the assistant: "Where do you live?" */
  readonly isAboutAssistant: boolean;
  /** Whether it asks for everything known about the user. */
  readonly asksForAll: boolean;
}

/** A message, divided into questions and statements. */
export interface Input {
  /** The questions, in order. */
  readonly questions: readonly string[];
  /** The other sentences, joined; empty if there are none. */
  readonly statement: string;
  /** Whether it asks for work that needs a model: to write, translate or explain something. */
  readonly isTask: boolean;
}

/**
 * Divides a message into questions and statements.
 *
 * @param text only its first 4,000 characters are read; longer texts are usually pasted
 */
export function readInput(text: string): Input {
  const sentences = sentencesOf(text.slice(0, MAX_CHARACTERS));
  const questions = sentences.filter(isQuestion);
  const statements = sentences.filter(
    (sentence) => !isQuestion(sentence) && !SMALL_TALK.test(fold(sentence)),
  );
  const isTask = [...questions, ...statements].some((sentence) => TASK.test(fold(sentence)));
  return { questions, statement: statements.join(' '), isTask };
}

const MAX_CHARACTERS = 4000;

/** Reads from a question's words what it asks for and about whom. */
export function readQuestion(text: string): Question {
  const folded = fold(text);
  const [kind] = KINDS.find(([, pattern]) => pattern.test(folded)) ?? ['what'];
  return {
    kind,
    concepts: conceptsIn(text),
    isAboutUser: isAboutUser(text),
    isAboutAssistant: ASSISTANT.test(folded) && !isAboutUser(text),
    asksForAll: FOR_ALL.test(folded),
  };
}

/** Whether a sentence is about the user. The "me" of phrases such as "can you tell me" does not count. */
export function isAboutUser(text: string): boolean {
  return FIRST_PERSON.test(fold(text).replaceAll(FRAME, ' '));
}

/** Whether a text is a few words without a statement, as typed into a search box. */
export function isFragment(text: string): boolean {
  const words = fold(text).match(/[\p{L}\p{N}']+/gu) ?? [];
  return words.length <= 4 && !STATES.test(words.join(' '));
}

/** Whether a sentence is a question, with or without a question mark. */
export function isQuestion(sentence: string): boolean {
  return /[?？؟]["'”’)\s]*$/u.test(sentence) || ASKS.test(fold(sentence));
}

/** Whether a text contains what this kind of question asks for: a time, a place, a number. */
export function containsKind(kind: QuestionKind, text: string): boolean {
  return KIND_PATTERNS[kind].test(text);
}

const KINDS: readonly (readonly [QuestionKind, RegExp])[] = [
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
/** Greetings and thanks, which state nothing. */
const SMALL_TALK =
  /^\W*(?:(?:hi|hello|hey|hiya|yo|good (?:morning|evening|afternoon|night)|thanks|thank you|thx|cheers|ok|okay|cool|great|nice|yes|no|yeah|yep|nope|sure|bye|goodbye|there|all|so much|a lot|very much|lol|haha)\W*)+$/u;
const FIRST_PERSON = /\b(?:i|i'm|im|i've|ive|i'd|i'll|me|my|mine|myself|we|we're|we've|we'll|us|our|ours)\b/u;
const FRAME =
  /\b(?:can|could|would|will) you (?:please )?(?:tell|help|give|show|teach|explain|remind)(?: to)? (?:me|us)\b|\b(?:tell|give|show|help|teach|remind) (?:me|us)\b(?! (?:about (?:me|us|my|our)))|\bhow (?:do|can|would|should|could) (?:i|we)\b|\bi (?:want|need|would like|'d like) to know\b|\bi(?:'m| am)? wonder(?:ing)?\b/gu;
const ASSISTANT =
  /\b(?:do|are|were|did|have|will|would|could|can) you\b(?! (?:know|remember|recall|tell|say)\b)|\byour\b/u;
const FOR_ALL =
  /\b(?:know|remember|learn(?:ed|t)?|noted?|stored?|saved?|have|tell me)\b.{0,24}\b(?:about|of|on) (?:me|us|myself)\b|\bwho am i\b/u;

const KIND_PATTERNS: Readonly<Record<QuestionKind, RegExp>> = {
  when: /\b\d{1,2}(?:st|nd|rd|th|\s?[ap]m|[:.]\d\d)?\b|\b\d{4}\b|\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|\b(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b|\b(?:today|tonight|tomorrow|yesterday|morning|noon|evening|night|weekend|spring|summer|autumn|fall|winter|christmas|easter|(?:next|last|this) (?:week|month|year))\b/iu,
  where:
    /\b(?:in|at|from|to|near|outside|inside|on|with|under|behind|beside|above|next to|by|opposite)(?= |$)/iu,
  number:
    /\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|once|twice|no|never|every)\b/iu,
  who: /(?<=\P{L})\p{Lu}\p{Ll}|\b(?:my|our) \p{L}/u,
  whether: /\p{L}/u,
  what: /\p{L}/u,
};

/** Words that turn a few words into a statement or a request. */
const STATES =
  /'(?:s|re|m|ve|ll|d)\b|\b(?:is|are|am|was|were|be|has|have|had|got|will|can|does|do|did|went|you|your|\p{L}{2,}ed|\p{L}{2,}ing)\b/u;
