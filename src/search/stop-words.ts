/**
 * English words that say how a sentence is built rather than what it is about. `s`, `t`, `d`, `m`, `ll`, `re` and
 * `ve` are what splitting at an apostrophe leaves of "it's", "don't" or "we'll".
 */
export const ENGLISH_STOP_WORDS: ReadonlySet<string> = new Set(
  `a about above after again against all also am an and any are as at be because been before being below between
  both but by can could d did do does doing down during each few for from further had has have having he her here
  hers herself him himself his how i if in into is it its itself just ll m me more most my myself no nor not now of
  off on once only or other our ours ourselves out over own re s same she should so some such t than that the their
  theirs them themselves then there these they this those through to too under until up us ve very was we were what
  when where which while who whom whose why will with would you your yours yourself yourselves`.split(/\s+/),
);
