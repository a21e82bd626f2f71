import { answerWishIn } from '../../language/acts/answer-wishes.ts';
import type { Clause } from '../../language/clauses.ts';
import { fold } from '../../language/fold.ts';
import { hasWord } from '../../language/words/life-words.ts';
import { regex } from '../../language/words/lists.ts';

/**
 * Whether the form of a clause alone says that it is worth keeping: how all answers are to be, what the user must not eat
 * or cannot do. They matter for questions that do not mention them. False for what is only wished of the answer to a
 * request beside it; undefined if the form says neither.
 */
export function isCertain(clauses: readonly Clause[], position: number): boolean | undefined {
  const clause = clauses[position];
  if (!clause) return undefined;
  const folded = fold(clause.text).replaceAll('’', "'");
  const wish = answerWishIn(folded);
  if (wish === 'told') return true;
  if (wish === undefined) return !clause.isAsked && CONSTRAINT.test(folded) ? true : undefined;
  if (wish === 'asked') return clauses.every((each) => each === clause || !isRequest(each));
  return clauses.length === 1 || answerWishIn(fold(clauses[position - 1]?.text ?? '')) === 'told';
}

function isRequest({ text, isAsked }: Clause): boolean {
  const folded = fold(text);
  if (answerWishIn(folded) !== undefined) return false;
  return isAsked || hasWord(folded, 'request') || hasWord(folded, 'material');
}

/** Words that say when or how much, not what. */
const NO_THING = String.raw`(?:it|this|that|these|those|them|him|her|you|much|enough|any|anything|now|today|tonight|tomorrow|yet|too|so|as|well|right|at|before|after|in|on|with|when|while|until|for|to|up|the|my|your|his|a|an|lunch|dinner|breakfast|here|there)`;
const THING = String.raw`(?!${NO_THING}\b)[\p{L}-]+(?: (?!${NO_THING}\b)[\p{L}-]+)?(?:,? (?:or|and|nor) (?!${NO_THING}\b)[\p{L}-]+)?`;

const CONSTRAINT = regex(
  String.raw`^(?:(?:and|but|also|so|well|btw|by the way|fyi|just so you know|remember)[, ]+)*(?:i|we)(?:(?: also| really| just| still| unfortunately)? (?:don'?t|do not|never|can'?t|cannot|mustn'?t|must not|am not allowed to) (?:ever )?(?:eat|drink|digest|tolerate) (?:any )?${THING}
    (?: also| really| just)? (?:can'?t|cannot|never learned (?:how )?to) (?:swim|drive|ride a bike)
    (?: really| just)? (?:don'?t|do not|never) (?:smoke|drink|drive)
    (?: really| just)? (?:can'?t|cannot) stand ${THING}
    (?: also)? react (?:very |really )?badly to ${THING}
    (?:'?m| am)(?: also)?(?: an?)? (?:(?:strict|strictly|mostly) )?(?:{vegetarian}|teetotal|co?eliac|(?:lactose|gluten|fructose)[- ]intolerant|diabetic|epileptic))(?: at all| btw| by the way| either| though)?\s*[.!]*$`,
  'u',
);
