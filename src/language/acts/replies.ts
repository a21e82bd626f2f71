import { regex } from '../words/lists.ts';

/**
 * Whether a statement only replies to what somebody else said or is about them, though it may begin with what the user feels
 * about it: thanks, "do you know …", "your cooking is amazing", "I'm glad your trip went well", "I'll keep that in mind".
 */
export function isReply(text: string): boolean {
  if (THANKS.test(text) || ASKS_YOU.test(text) || KEEPS_IN_MIND.test(text)) return true;
  return YOU.test(text) && !SELF.test(text.replace(FEELS_ABOUT_IT, ''));
}

/** Whether a statement is about a picture that is shown with it, and says little without it: "this photo is from our trip". */
export function isAboutPicture(text: string): boolean {
  return PICTURE.test(text);
}

const THANKS = /\b(?:thanks|thank you|thx)\b/iu;
const ASKS_YOU = /\bdo (?:you|u) know (?:if|whether|how|what|why|when|where|who)\b/iu;
const KEEPS_IN_MIND = /\b(?:i|we)(?:['’]ll| will) (?:keep|bear) (?:that|this|it) in mind\b/iu;
const YOU = /\b(?:you|your|yours)\b/iu;
const SELF = regex(String.raw`\b(?:{i}|{my}|me|us|myself)(?!\p{L})`, 'iu');
const FEELS_ABOUT_IT = regex(
  String.raw`^(?:(?:and|but|so|well|oh|wow)\W+)*(?:(?:i['’]?m|i am|we['’]?re|we are) (?:so |really |very |just )?(?:glad|happy|sorry|proud|excited|thrilled|relieved|impressed)
    (?:i|we) (?:really |do |just )?(?:hope|wish|bet|love|like|admire|appreciate|imagine)\b|(?:i|we) can(?:['’]?t|not)? (?:just |only )?(?:imagine|see|tell|believe)\b)`,
  'iu',
);
const PICTURE =
  /^(?:(?:and|but|so|oh)\W+)*(?:this|that|these|those|here(?:['’]?s| is| are)(?: an?| the| some| my| our)?) (?:photos?|pictures?|pics?|images?|selfies?|snapshots?|screenshots?)\b/iu;
