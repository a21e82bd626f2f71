import { regex } from './words/lists.ts';

/**
 * Whether a clause is about some times only, so that what it says to have stopped goes on at others: "no coffee after 3",
 * "stopped driving at night", "stopped running a minute ago".
 */
export function isLimitedInTime(clause: string): boolean {
  return LIMITED.test(clause);
}

/** Whether a clause is about these days only, and says nothing about later: "closed this weekend". */
export function isOfTheseDays(clause: string): boolean {
  return THESE_DAYS.test(clause);
}

const THESE_DAYS = regex(
  String.raw`\b(?:today|tonight|tomorrow|this (?:week|weekend|month|morning|afternoon|evening|time|\p{L}+day)|(?:on|next) (?:{weekday}))\b`,
  'u',
);

const LIMITED = regex(
  String.raw`\b(?:(?:after|before|past) (?:\d{1,2}(?::\d\d)?(?: ?[ap]m)?|noon|midnight|dark|dinner|lunch|breakfast|work|bed)|at night
    (?:stop\p{L}*|paus\p{L}+|quit|left|leaving|off) .{1,60}? for (?:the|this|an?|one|two|three|four|five|six|ten|few|some|\d+) (?:\p{L}+ )?(?:hours?|days?|weeks?|weekend|nights?|months?|holidays?)
    in the (?:mornings?|evenings?|afternoons?)|(?:on|during|at) (?:the )?(?:week(?:(?:end|day)s?)?
    (?:{weekday})s)|(?:a|an|few|\d+) (?:seconds?|moments?|minutes?|hours?) ago)\b`,
  'iu',
);
