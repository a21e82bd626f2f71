import { regex } from '../../language/words/lists.ts';

/**
 * `stops`: it is over. `cancels`: what was booked, planned or paid for is off. `sells`: nobody owns it any more. `dies`: somebody or a pet has died. `returns`: what was
 * denied is so again. `heals`: an illness is over. `done`: what was to be done or waited for is done.
 * `mends`: what was bad or broken has been replaced or repaired.
 * `leaves`: somebody has left a role, such as a boss or a lodger.
 */
export type EndedHow =
  | 'stops'
  | 'cancels'
  | 'sells'
  | 'dies'
  | 'returns'
  | 'heals'
  | 'mends'
  | 'done'
  | 'leaves';

/** How claims say that a thing has ended. */
export interface EndedThingPattern {
  readonly how: EndedHow;
  /** Position of the thing: before the words, as the object after them, or in the whole clause after them. */
  readonly of: 'subject' | 'object' | 'clause';
  readonly pattern: RegExp;
}

const ADVERB = String.raw`(?:(?:just|finally|also|really|already|recently|had|has|have|been|actually)\s+)?`;

/** Who has finished writing a book has finished the book, not writing. */
const FINISHED = String.raw`finished(?: up| off)?(?: (?:my |the )?\p{L}+ing(?: up| for| on| of)?(?= (?:my|the|our|this|that)\b))?`;

/** At an hour, early, or somewhere where one comes back to it. */
const FOR_NOW = String.raw`(?:at (?:\d{1,2}(?::\d\d| ?(?:am|pm|o'clock))|{count}|noon|midnight|dawn|home)|early|late|on the (?:train|bus|tram|plane|table|counter|bench|desk)|in the (?:car|train|taxi|fridge|oven|rain)|by (?:train|car|bus|plane|bike|boat|ferry)|for (?:the|a) (?:day|night|weekend|holidays?|summer|winter|few days))(?=\s*(?:$|[,.;!?]|today|yesterday|again|because|so|and))`;

/** What is left for some hours, or left behind. */
const NOT_FOR_GOOD = String.raw`(?:(?:(?:the|a|my|our|his|her) )?(?:\p{L}+ ){1,2}${FOR_NOW}|(?:for|at|to|on|early|late|soon|home|again|it|me|him|her|us|them|behind|around|after|before|when)\b|(?:the|a|my|our|his|her) (?:\p{L}+ )?(?:jacket|coat|keys?|phone|bag|wallet|purse|umbrella|scarf|hat|gloves?|glasses|laptop|charger|lunch|suitcase|tickets?|passport|stuff|things|lights?|door|window|party|meeting|room|building|shop|restaurant|bar|pub|cinema|concert|wedding|hotel|station|airport|table|kitchen)\b)`;

export const ENDED_THINGS: readonly EndedThingPattern[] = [
  // Notice, contracts, projects and habits.
  {
    how: 'stops',
    of: 'object',
    pattern:
      /\b(?:gave|given|handed)(?= (?:the |my |our )?(?:[\p{L}'-]+ ){1,3}?(?:my |our |their )?notice\b)\s|\b(?:gave|given|handed in) (?:my |our )?notice (?:at|to)\s/giu,
  },
  {
    how: 'stops',
    of: 'object',
    pattern: regex(
      String.raw`\b(?:closed(?= (?:the |my |our )?[^,.;!?]{2,40}\baccount)|(?:killed|axed|shelved|abandoned|ditched|binned|scrapped) (?:the|my|our|that)|pulled the plug on
    (?:no longer|not) (?:at|with|in|on)(?! (?:home|all|it|time|the (?:moment|phone|way))\b)|withdrew from|bowed out of|let (?=[^,.;!?]{2,40} lapse)|opted out of|pulled out of|backed out of|dropped out of|walked out of)\s
    \b(?:broke|fell off|came off|off) (?:my |the |of )?(?=(?:keto|diet|low[- ]carb|paleo|meds|medication|antidepressants?)\b)`,
      'giu',
    ),
  },
  // "Pls drop the jokes", "no more emojis": wishes that are taken back.
  {
    how: 'stops',
    of: 'object',
    pattern:
      /(?<=^(?:ok(?:ay)?|so|and|but|actually|please|pls|plz|also|from now on|you can|\W)*\W*)(?:drop|skip|stop|lose|ditch|forget|no more|enough|enough with|enough of|lay off|quit) (?:with )?(?:all )?the\s/giu,
  },
  {
    how: 'stops',
    of: 'object',
    pattern:
      /\b(?:decided against|changed my mind (?:about|on)|swore off|cut out|kicked|weaned off|went off|done with(?! (?:breakfast|lunch|dinner|supper|tea)\b)|through with|over(?= (?:my|the) \p{L}+ phase))\s/giu,
  },
  // "I haven't touched a cigarette since May".
  {
    how: 'stops',
    of: 'object',
    pattern:
      /\b(?:haven'?t|have not|hasn'?t|has not) (?:touched|had|smoked|drunk|eaten|bitten|played|used|opened|been to|gone to|set foot in)\s(?=[^.;!?]*\b(?:since|in (?:\d+|two|three|four|a|months|weeks|years|ages)|for (?:\d+|two|three|a|months|weeks|years))\b)/giu,
  },
  {
    how: 'sells',
    of: 'subject',
    pattern: new RegExp(
      String.raw`\s${ADVERB}(?:was|were|got|has been|have been|is|are)\s${ADVERB}(?:stolen|nicked|total+ed|written off|smashed|wrecked|burn(?:ed|t) down|traded in|repossessed|scrapped|given away|rehomed|returned)\b|\s(?:went into the|fell into the|broke down for good|gave up the ghost|bit the dust|went to a new (?:home|owner))\b`,
      'giu',
    ),
  },
  {
    how: 'sells',
    of: 'object',
    pattern:
      /\b(?:traded in|rehomed|gave back|handed back|returned(?! (?:from|to|home|after|late|early|on|in)\b)|auctioned off|found a new home for)\s/giu,
  },
  {
    how: 'leaves',
    of: 'subject',
    pattern: new RegExp(
      String.raw`\s${ADVERB}(?:left|moved (?:out|on|away)|retired|resigned|quit|transferred|got (?:fired|promoted)|was (?:fired|let go|transferred))\b(?! (?:me|us|him|her|them|the(?! (?:company|firm|team|business)\b)|a|my|our|his|for(?! (?:good|another)\b)|early|late|at|on time|already)\b)`,
      'giu',
    ),
  },
  {
    how: 'leaves',
    of: 'object',
    pattern: /\b(?:took over from|taken over from|replaced|replaces|takes over from)\s/giu,
  },
  {
    how: 'done',
    of: 'subject',
    pattern: new RegExp(
      String.raw`\s${ADVERB}(?:(?:is|are|was|were|got|has been|have been|'s)\s+)?${ADVERB}(?:submitted|handed in|sent off|turned in|filed|delivered|paid off|arrived|signed off|came through|landed|went (?:off|out)|all done|done and dusted)\b`,
      'giu',
    ),
  },
  {
    how: 'done',
    of: 'object',
    pattern: new RegExp(
      String.raw`\b(?:submitted|handed in|sent off|turned in|filed|passed|paid off|${FINISHED}|completed|renewed|picked up|got)\s`,
      'giu',
    ),
  },
  // Deaths that are told in other words.
  {
    how: 'dies',
    of: 'object',
    pattern: regex(
      String.raw`\b(?:had to (?=let \p{L}+ go\b)let|had to (?=put \p{L}+ (?:down|to sleep)\b)put|sa(?:y|id) (?:goodbye|good-bye|our goodbyes) to
    lost(?= (?:our |my )?(?:(?:beloved|poor|dear|old) )?(?:{kin}|grand\p{L}+|gran|nana?|oma|opa|aunt(?:ie)?|uncle)\b)(?![^,.;!?]*\b(?:in the|at the|on the|keys?|leash|collar|phone)\b)) (?:our |my |the )?(?:beloved |poor |dear |old )?`,
      'giu',
    ),
  },
  {
    how: 'dies',
    of: 'subject',
    pattern:
      /(?:'s funeral\b|\sis no longer with us\b|\spassed\b(?= (?:away|last|this|on|in the night|peacefully|over|$)))/giu,
  },
  // "417 days smoke free".
  {
    how: 'stops',
    of: 'clause',
    pattern: /\b\d+\+? (?:days?|weeks?|months?|years?) (?=\p{L}+[- ]free\b)/giu,
  },
  // "I learned to swim", "I can drive now".
  {
    how: 'returns',
    of: 'clause',
    pattern:
      /\b(?:learn(?:ed|t) (?:how )?to|can (?:finally|now)|(?:is|am|are|'m|'s) (?:finally|now) able to|passed (?:my|his|her|the))\s/giu,
  },
  {
    how: 'stops',
    of: 'object',
    pattern: regex(
      String.raw`\b(?:quit(?! (?:\w+ing|taking)\b)|gave up(?! (?:on )?\w+ing\b)|given up(?! (?:on )?\w+ing\b)
    dropped(?! (?:by|off|in|(?:my|the|a|her|his) (?:phone|keys?|cup|glass|glasses|plate|bottle|wallet|laptop|camera|ball))\b)|left(?! ${NOT_FOR_GOOD})|switched from|moved away from|deleted(?! (?:an? |one |old |the |that |this |some |my |all )*(?:photo|picture|file|message|e-?mail|text|video|comment|post|draft|line|note|entr(?:y|ie)|contact|song|tab|folder)s?\b)
    (?:swapped|replaced|traded)|instead of|outgrew|outgrown|grew out of|grown out of|${FINISHED}
    unsubscribed from|resigned from|retired from|stepped down from)\s`,
      'giu',
    ),
  },
  { how: 'cancels', of: 'object', pattern: /\b(?:cancel+ed|called off)\s/giu },
  {
    how: 'cancels',
    of: 'subject',
    pattern: new RegExp(
      String.raw`\s${ADVERB}(?:(?:is|are|was|were|got|'s|has been|have been)\s+(?:now\s+|all\s+|finally\s+)?(?:cancel+ed|called off|postponed|deferred|off\b(?! \w))|fell through)\b`,
      'giu',
    ),
  },
  {
    how: 'sells',
    of: 'object',
    pattern:
      /\b(?:sold|gave away|given away|got rid of|gotten rid of|threw (?:out|away)|donated|scrapped|rehomed)\s/giu,
  },
  {
    how: 'stops',
    of: 'clause',
    pattern:
      /\b(?:no longer|used to|stopped(?! (?:at|by|in|for|off|over|here|there|to)\b)|quit(?= (?:\w+ing)\b)|gave up(?: on)?(?= \w+ing\b)|given up(?: on)?(?= \w+ing\b)|done with(?! (?:breakfast|lunch|dinner|supper|tea)\b)|not into)\s/giu,
  },
  // "I don't play the cello anymore", "not allergic to nuts after all", "I don't eat fish now".
  {
    how: 'stops',
    of: 'clause',
    pattern: new RegExp(
      String.raw`\b(?:not|never|\w+n't|dont|doesnt|isnt|arent|cant|wont|cannot)\s(?!(?:(?:just|even|really) )?(?:stop|quit|help|resist|wait|imagine|believe|only|(?:do|live|go) without|get enough|talk|speak|chat|sure|know|remember|care|matter|mind|at home|home|here|hungry|tired|ready|come|meet|answer|want to (?:talk|speak)|have (?:any |the |much )?(?:time|idea))\b)(?=[^,;.!?]*\b(?:any ?more|any longer|after all|now|these days)\b)`,
      'giu',
    ),
  },
  {
    how: 'stops',
    of: 'clause',
    pattern: /\b(?:turns out|turned out)\b[^,;.!?]{0,40}?(?:\bnot|\w+n't)\s/giu,
  },
  {
    how: 'stops',
    of: 'subject',
    pattern: new RegExp(
      String.raw`\s${ADVERB}(?:(?:is|are|was|were|got|'s|has been|have been)\s+(?:now\s+|all\s+|finally\s+)?(?:over|closed|gone|finished|discontinued)|closed down|(?:(?:gets?|getting|being) )?shut down|(?:isn't|is not|is no longer|aren't) (?:there|here|around|available)(?: any ?more)?|went bust|broke down for good)\b`,
      'giu',
    ),
  },
  {
    how: 'dies',
    of: 'subject',
    pattern: new RegExp(String.raw`\s${ADVERB}(?:died|passed away|was put down|was put to sleep)\b`, 'giu'),
  },
  {
    how: 'mends',
    of: 'subject',
    pattern: new RegExp(
      String.raw`\s${ADVERB}(?:got|was|were|is|are|has been|have been)\s+(?:all |finally )?(?:replaced|fixed|repaired|mended)\b`,
      'giu',
    ),
  },
  {
    how: 'heals',
    of: 'subject',
    pattern: new RegExp(
      String.raw`(?:\s|(?='s))${ADVERB}(?:(?:is|are|was|were|feels|'s)\s+(?:all |completely |totally |finally |fully )?(?:healed|cured|gone|good as new|back to normal)|(?:has |have )?healed|went away|cleared up)\b`,
      'giu',
    ),
  },
  // "I drink coffee again", "I have a car now".
  {
    how: 'returns',
    of: 'clause',
    pattern:
      /(?:\b(?:i|we|he|she|they)(?:'m|'re|'s|'ve)?|\b(?:im|ive)|\bmy \p{L}+(?: is)?)\s(?!\w*n't\b|not\b|dont\b|never\b|cannot\b)(?=[^,;.!?]*\b(?:again|now|these days)\b)/giu,
  },
  // Other languages: the rest of the clause.
  {
    how: 'stops',
    of: 'clause',
    pattern:
      /\b(?:ya no|nao mais|não mais|deje de|dejé de|parei de|larguei|arrete de|arrêté de|vendi|verkauft)\s/giu,
  },
  {
    how: 'stops',
    of: 'object',
    pattern:
      /(?<!\p{L})(?:dej[eéoó]|dejamos|quit[eé](?= (?:el|la|los|las|mis?|un|una|de)\b)|abandon[eé]|renunci[eé] a|vend[ií]|me di de baja de|j'ai (?:arrêté|quitté|résilié|vendu|lâché|abandonné)|on a (?:arrêté|quitté|résilié|vendu)|ho (?:smesso|lasciato|venduto|disdetto)|abbiamo (?:lasciato|venduto|disdetto)|larguei|deixei|saí d[oae]|parei (?:com|de)|vendi)\s/giu,
  },
  {
    how: 'stops',
    of: 'subject',
    pattern:
      /\s(?:nicht mehr|verkauft|gekündigt|aufgegeben|abgemeldet|beendet|hingeschmissen|geschmissen)(?!\p{L})/giu,
  },
  {
    how: 'cancels',
    of: 'object',
    pattern:
      /(?<!\p{L})(?:cancel[eéoó]|cancelamos|cancelei|(?:j'ai|on a) annulé|(?:ho|abbiamo) cancellato)\s/giu,
  },
  { how: 'cancels', of: 'subject', pattern: /\s(?:abgesagt|storniert)(?!\p{L})/giu },
  { how: 'stops', of: 'subject', pattern: /\s(?:gone|over|dead|kaputt|weg)(?=\W*$)/giu },
  { how: 'stops', of: 'clause', pattern: /\b(?:ne|n['’])(?=[^,;.!?]*\bplus\b)/giu },
  { how: 'stops', of: 'clause', pattern: /不再|卖了|卖掉了|取消了|辞掉了|退了|戒了/gu },
];
