import { fold } from './fold.ts';
import { memoryIntent, type MemoryIntent } from './memory-intent.ts';
import { askedIn, featuresOf, termsOf, type QuestionFeatures } from './question-features.ts';
import { isQuestion, sentencesIn } from './sentences.ts';
import { hasWord } from './words/life-words.ts';

/** A text, and what its words say. Each part is read when it is first asked for, and once. */
export interface ReadText {
  readonly text: string;
  /** The text as it is compared, without the frame of a question: see {@link askedIn}. */
  readonly asked: string;
  /** Distinct content terms of `asked`. */
  readonly askedTerms: ReadonlySet<string>;
  /** What is asked for, and how personal it sounds. */
  readonly features: QuestionFeatures;
  /** What is asked of the memory itself. */
  readonly intent: MemoryIntent;
  /** Whether it asks for something. Unlike a question, a statement may sound general or technical: "set it to 1.5 bar". */
  readonly isRequest: boolean;
  /** Whether its first word is that of a question, with or without a question mark: "what temperature does a loaf need". */
  readonly opensAsking: boolean;
  /** Whether it asks something and is not about the user, as an everyday request. */
  readonly asksOfNobody: boolean;
}

/** No word is longer. */
const OPENING_CHARACTERS = 50;

/** Reads a text. Pass the result on, so that nothing reads the text again. */
export function readText(text: string): ReadText {
  let asked: string | undefined;
  let askedTerms: ReadonlySet<string> | undefined;
  let features: QuestionFeatures | undefined;
  let intent: MemoryIntent | undefined;
  return {
    text,
    get asked() {
      return (asked ??= askedIn(text));
    },
    get askedTerms() {
      return (askedTerms ??= termsOf(this.asked));
    },
    get features() {
      return (features ??= featuresOf(this.asked));
    },
    get intent() {
      return (intent ??= memoryIntent(text));
    },
    get isRequest() {
      return this.features.isTask > 0 || isQuestion(text);
    },
    get opensAsking() {
      const [opener = ''] = fold(text.slice(0, OPENING_CHARACTERS)).trim().split(/\s/u);
      return hasWord(opener, 'ask');
    },
    get asksOfNobody() {
      const { isGeneral, isPersonal } = this.features;
      const asks = this.isRequest || isGeneral > 0 || sentencesIn(text).some(({ isAsked }) => isAsked);
      return asks && isPersonal < 1;
    },
  };
}
