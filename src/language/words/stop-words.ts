/**
 * English function words. `s`, `t`, `d`, `m`, `ll`, `re` and `ve` remain when "it's", "don't" or "we'll" is split at the
 * apostrophe.
 */
export const ENGLISH_STOP_WORDS: ReadonlySet<string> = new Set(
  `a about above after again against all also am an and any are as at be because been before being below between
  both but by can could d did do does doing down during each few for from further had has have having he her here
  hers herself him himself his how i if in into is it its itself just ll m me more most my myself no nor not now of
  off on once only or other our ours ourselves out over own re s same she should so some such t than that the their
  theirs them themselves then there these they this those through to too under until up us ve very was we were what
  when where which while who whom whose why will with would you your yours yourself yourselves`.split(/\s+/),
);

/**
 * German function words, except those that are English words in lower case and without marks ("die", "war" and "für").
 */
const GERMAN_STOP_WORDS: readonly string[] =
  `aber als auch auf aus bei bin bist da das dass dein deine dem der des dich dir du ein eine einem einen einer er es
  euch euer habe haben hast ich ihm ihn ihnen ihr ihre ist kein keine mein meine mich nach nicht noch nur ob oder
  sein seine sich sie sind und uns unser vom von wann warum welche welcher welches wem wen wenn wer wie wir wird wo
  wurde zu zum zur`.split(/\s+/);

/** Terms that are ignored in a query, unless it has no others. */
export const STOP_WORDS: ReadonlySet<string> = new Set([...ENGLISH_STOP_WORDS, ...GERMAN_STOP_WORDS]);
