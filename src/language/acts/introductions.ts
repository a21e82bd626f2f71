import { fold } from '../fold.ts';
import type { Span } from '../text-spans.ts';
import { regex } from '../words/lists.ts';

/**
 * Returns what follows the words by which somebody else at the same keyboard begins: "this is Femi now", "Mia here, on
 * dad's laptop", or by which the user begins to type for another person: "she is dictating now".
 *
 * @param userName the user may say so of themselves. If undefined, only a sign that somebody else usually writes here
 *   tells another person from a user who gives their name
 */
export function introduced(text: string, userName: string | undefined): Span[] {
  const dictated = DICTATED.exec(text);
  const from = [dictated ? dictated.index + dictated[0].length : undefined, otherAt(text, userName)].filter(
    (start) => start !== undefined,
  );
  return from.length === 0 ? [] : [{ start: Math.min(...from), end: text.length }];
}

/** Returns where another person than the user gives their name. */
function otherAt(text: string, userName: string | undefined): number | undefined {
  for (const match of text.matchAll(INTRODUCTION)) {
    const { before = '', greeting = '', name = '', name2 = '' } = match.groups ?? {};
    const called = name === '' ? name2 : name;
    if (NO_NAME.test(called) || isSame(called, userName)) continue;
    const at = match.index + before.length;
    const behind = text.slice(match.index + match[0].length);
    const isFirst = greeting !== '' || text.slice(0, at).trim() === '';
    const isOther =
      showsAnother(match.groups ?? {}, isFirst, behind) ||
      (userName !== undefined &&
        NAME.test(called) &&
        (turnIn(match.groups ?? {}) !== '' || greeting !== '' || name2 !== ''));
    if (isOther) return at + greeting.length;
  }
  return undefined;
}

type Groups = Readonly<Record<string, string | undefined>>;

function turnIn({ early = '', turn = '', turn2 = '' }: Groups): string {
  return `${early} ${turn} ${turn2}`.trim();
}

/** Whether an introduction shows that somebody else usually writes here. Without a capital letter it may be no name. */
function showsAnother(groups: Groups, isFirst: boolean, behind: string): boolean {
  const turn = turnIn(groups);
  if (BACK.test(turn)) return false;
  // "It's Portugal now" is no introduction in the middle of a text.
  const takesTurn = NOW.test(turn) && (isFirst || groups['it'] === undefined);
  const isRelative = isFirst && (groups['relation'] ?? groups['relation2']) !== undefined;
  const isNamed = isRelative || NAME.test(groups['name'] ?? groups['name2'] ?? '');
  const [sentences = ''] = TWO_SENTENCES.exec(behind) ?? [];
  const [sentence = ''] = SENTENCE.exec(behind) ?? [];
  if (!isNamed) return isFirst && ON_DEVICE.test(sentences);
  return (
    takesTurn ||
    IS_AWAY.test(sentence) ||
    (isRelative && THEY_ARE_AWAY.test(sentence)) ||
    ON_DEVICE.test(sentences) ||
    DEVICE_LENT.test(sentences)
  );
}

function isSame(name: string, userName: string | undefined): boolean {
  return userName !== undefined && fold(userName).split(/\s+/u).includes(fold(name));
}

const GREETING = String.raw`(?:(?:hey|hi|hello|hallo|hola|salut|bonjour|servus|moin|ok|okay|so)(?:\s(?:there|again|all))?[,!.]?\s{1,3})`;
const TURN = String.raw`now|here now|here|again|back|typing now|typing|speaking|jetzt|wieder|ahora|maintenant`;
const RELATIVE = String.raw`(?:{kin}|roommate|flatmate|housemate|cousin|nephew|niece|aunt|uncle|colleague|neighbou?r|grand(?:ma|pa|mother|father|son|daughter))`;
/** At the beginning of a line or sentence. */
const INTRODUCTION = regex(
  String.raw`(?<before>^\s{0,9}|[.!?,…]\s{1,3})(?<greeting>${GREETING}?)(?:(?:(?:this|(?<it>it))(?:['’]?s|\sis)|hier\s(?:ist|spricht)|soy|aquí|c['’]est|ici)\s(?:(?<early>now|jetzt|ahora)\s)?(?:(?<relation>(?:her|his|their|\p{L}{2,30}['’]s)\s${RELATIVE})|(?<name>\p{L}{2,30}))(?:,?\s(?<turn>${TURN}))?(?=\s?[.,!:;(–—-]|\s(?:on|from|using|with|an|auf|am|und|and)\s)|(?!\p{L}{1,20}ly\sspeaking)(?:(?<relation2>\p{L}{2,30}['’]s\s${RELATIVE})\s)?(?<name2>\p{L}{2,30})\s(?:here|speaking|typing|hier)(?:\s(?<turn2>${TURN}))?(?=\s?[.,!:;(–—-]|\s(?:on|from|using|with|an|auf|am)\s))`,
  'gimu',
);
const NAME = /^\p{Lu}\p{Ll}+$/u;
const NO_NAME = regex(
  String.raw`^(?:{weekday}|{season}|{monthButMay}|{weekdayElsewhere}|christmas|easter|(?:every|no|some|any)(?:one|body)|people|not|just|still|i|we|she|he|they|me|you|ok|okay|right|up|nothing|everything|all|over|same|new|early|late|busy|quiet|alone|stuck|live|good|great|fine|cold|hot|warm|freezing|dark|rainy|raining|snowing|windy|cloudy|morning|evening|night|newbie|noob|beginner|first-?timer|lurker|student|teacher|nurse|doctor|engineer|developer|designer|writer|artist|owner|expat|native|local|tourist|retiree|pensioner|vegan|vegetarian)$`,
  'iu',
);
/** Who takes the turn; "again" and "back" are the user's, after others. */
const NOW = /now|jetzt|ahora|maintenant|typing/iu;
const BACK = /again|back|wieder/iu;
const SENTENCE = /^[^\n.!?]{0,120}/u;
const TWO_SENTENCES = /^[^\n.!?]{0,120}(?:[.!?]\s[^\n.!?]{0,120})?/u;
const DEVICE = String.raw`(?:laptop|computer|pc|phone|tablet|ipad|account|chat|keyboard|handy|rechner|konto|móvil|ordenador|portátil|celular|teléfono|téléphone|ordi(?:nateur)?)`;
/** "On dad's laptop", "dad left the laptop open". */
const ON_DEVICE = regex(
  String.raw`\b(?:on|from|using|with|via|an|auf)\s(?:my\s|mein\p{L}*\s)?(?!this\b)\p{L}+(?:['’]?s)\s(?:\p{L}+\s)?${DEVICE}\b
    \b(?:left|forgot)\s(?:the|his|her|their)\s(?:\p{L}+\s)?${DEVICE}\b
    \b(?:en el|desde el|sur le|am|mit dem)\s${DEVICE}\s(?:de|von|d['’])`,
  'iu',
);
const DEVICE_LENT = regex(
  String.raw`\b(?:borrowed|lent|let|gave)\s(?:me\s)?(?:(?:use|have|borrow)\s)?(?:the|his|her|their)\s(?:\p{L}+\s)?${DEVICE}\b`,
  'iu',
);
const AWAY = String.raw`(?:['’]s|['’]re|\s(?:is|are|has|ist|está|est))?\s(?:(?:just|gerade|still)\s)?(?:at\s(?:the|work|school|home)|in\sthe\s(?:shower|kitchen|bath|bathroom|garden|other)|out\b|away\b|asleep|sleeping|busy|driving|cooking|gone\b|went\s(?:home|out|off|to\s(?:the|bed|work|get))|left\s(?:already|early|the|for)|beim|weg\b|einkaufen|unterwegs|durmiendo|dort)`;
/** Somebody with a name, or "dad" as a name, is not here. */
const IS_AWAY = regex(
  String.raw`(?<!\b(?:my|our|his|her|mein|meine|mi|mon|ma)\s)(?<![\p{L}])(?:\p{Lu}\p{Ll}+|[Dd]ad|[Mm]u?o?m|[Mm]ama|[Pp]apa)${AWAY}`,
);
const THEY_ARE_AWAY = regex(String.raw`(?<![\p{L}])(?:[Ss]?[Hh]e|[Tt]hey)${AWAY}`);

/** The user types for another person, who speaks from here on. */
const DICTATED = regex(
  String.raw`(?:^|\b(?:i'?m|i am)\s(?:only\s|just\s)?)typing\s(?:this\s)?for\s(?:my\s)?\p{L}{1,30}(?:\s\p{L}{1,30})?\s?[,.:;–—-][^.:\n]{0,60}[.:\n]
    \b(?:s?he|they|my\s\p{L}{1,30}|\p{L}{1,30})(?:['’]?s|['’]?re|\sis|\sare)\sdictating(?:\s(?:this|it|now|to\sme))*\s?[.,:;\n]
    \b(?:ich\s(?:tippe|schreibe)\s(?:das\s|hier\s)?für\s\p{L}{1,30}(?:\s\p{L}{1,30})?,\s)?(?:sie|er|mein\p{L}{0,9}\s\p{L}{1,30})\sdiktiert(?:\s(?:mir|gerade|jetzt|das))*\s?[.,:;\n]
    \basking\sfor\s(?:an?|my|her|him|them)(?:\s\p{L}{1,30})?\s?:
    \b(?:wants|asked|asks|told)\s(?:me\s)?to\s(?:type|write|say|tell|ask)(?:\s(?:you|this|that|something|it)){0,2}\s?:
    \b(?:me\s(?:está\sdictando|lo\sdicta)|(?:elle|il)\s(?:me\s)?dicte)(?:\s\p{L}{1,30})?\s?[.,:;\n]`,
  'iu',
);
