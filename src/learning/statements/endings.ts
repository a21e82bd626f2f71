import { contentStems } from './statement-topics.ts';
import { foldForWords } from './statement-words.ts';

/** A statement, with what decides whether it ends another or is ended. */
export interface TimedStatement {
  readonly id: string;
  readonly text: string;
  /** Id of its message. "Scratch that" retracts the last statement of an earlier message. */
  readonly messageId: string;
}

/** Whether a statement says that something has ended, has changed or was never true. */
export function isEnding(text: string): boolean {
  const folded = foldForWords(text);
  return ENDING.test(folded) || RETRACTION.test(folded) || REPLACEMENT.test(folded);
}

/**
 * Finds the statements that have ended. A statement ends earlier ones about its subject if it says so ("we broke up",
 * "I quit", "not vegan anymore", "used to"), takes something back ("scratch that"), or gives a new value for
 * something one has once ("now", "instead", "new").
 *
 * @param statements oldest first
 * @returns the id of the ending statement by the id of the ended one
 */
export function endedStatements(statements: readonly TimedStatement[]): Map<string, string> {
  const ended = new Map<string, string>();
  for (const [at, later] of statements.entries()) {
    if (!reportsChange(readOnce(later))) continue;
    const before = statements.slice(0, at);
    const retracted = retractsWhatWasSaid(later)
      ? before.findLast(({ messageId }) => messageId !== later.messageId)
      : undefined;
    for (const earlier of before) {
      if (!ended.has(earlier.id) && (earlier === retracted || endsStatement(later, earlier)))
        ended.set(earlier.id, later.id);
    }
  }
  return ended;
}

/** Whether a later statement ends this earlier one. */
export function endsStatement(later: TimedStatement, earlier: TimedStatement): boolean {
  return !retractsWhatWasSaid(later) && ends(readOnce(later), readOnce(earlier));
}

/** Whether a statement takes back the last one of an earlier message, whatever it is: "scratch that". */
export function retractsWhatWasSaid(statement: TimedStatement): boolean {
  const { isRetraction, stems } = readOnce(statement);
  return isRetraction && stems.size < 2;
}

// Cached because each new statement is compared with all earlier ones.
const readings = new WeakMap<TimedStatement, Read>();

function readOnce(statement: TimedStatement): Read {
  const read = readings.get(statement) ?? readStatement(statement.text);
  readings.set(statement, read);
  return read;
}

type Read = ReturnType<typeof readStatement>;

function readStatement(text: string) {
  const folded = foldForWords(text);
  return {
    folded,
    stems: contentStems(text),
    // Two statements about the same person need not be related.
    names: contentStems((text.match(INNER_CAPITAL) ?? []).join(' ')),
    // What is new: "new teacher".
    renewed: contentStems(Array.from(folded.matchAll(RENEWED), ([, noun]) => noun).join(' ')),
    values: new Set(folded.match(VALUE)),
    // What a person has one of at a time, and what of it has changed.
    matters: MATTERS.map(([says]) => says.test(folded)),
    changes: MATTERS.map(([, changes]) => changes.test(folded)),
    isEnding: ENDING.test(folded),
    isRetraction: RETRACTION.test(folded),
    isReplacement: REPLACEMENT.test(folded),
  };
}

function reportsChange({ isEnding: ending, isReplacement, isRetraction, renewed, changes }: Read): boolean {
  return ending || isReplacement || isRetraction || renewed.size > 0 || changes.includes(true);
}

function ends(later: Read, target: Read): boolean {
  const shared = [...later.stems].filter((stem) => target.stems.has(stem));
  if (
    later.changes.some((isChanged, matter) => isChanged && target.matters[matter]) &&
    (isBothOfUser(later.folded, target.folded) || shared.length > 0)
  )
    return true;
  if ([...later.renewed].some((stem) => target.stems.has(stem)) && HOLDER.test(target.folded)) return true;
  const related = shared.filter((stem) => !later.names.has(stem) && !target.names.has(stem)).length;
  if (later.isEnding && related > 0) return true;
  if (!later.isReplacement && !later.isRetraction) return false;
  const hasOtherValue =
    later.values.size > 0 &&
    target.values.size > 0 &&
    ![...later.values].some((value) => target.values.has(value));
  return related > (hasOtherValue ? 0 : 1);
}

function isBothOfUser(later: string, target: string): boolean {
  const isOwn = OWN.test(later) || SUBJECT_DROPPED.test(later);
  return isOwn && (OWN.test(target) || !OTHERS.test(target));
}

const OWN = /\b(?:i|im|i'm|i've|ive|we|we're|we've|my|our|ich|wir|yo|je|eu)\b|我|私/u;
const SUBJECT_DROPPED =
  /^(?:(?:ok|so|and|also|but|well|yeah|then|news|update)\W+)*(?:moved|quit|broke|split|left|got|started|resigned|retired|dropped|not|no)\b/u;
const OTHERS =
  /\b(?:he|she|they|his|her|their|mom|mum|dad|sister|brother|son|daughter|wife|husband|friend|boss|cousin)\b|他|她|彼/u;

const INNER_CAPITAL = /(?<=[\p{L}\p{N},;(:]\s*)(?!I\b|I')\p{Lu}\p{L}+/gu;
const RENEWED = /\b(?:new|neue[rns]?|nuev[ao]|nouve\w+|nov[ao])\s+(\p{L}+)/gu;
/** Matches statements of who or what has a role: "my teacher", "the teacher is". */
const HOLDER = /\b(?:my|our|is|'s|am|mein\w*|mi|mon|ma|meu|minha)\b|\w's\b/u;

const VALUE =
  /\d+(?:[.,:]\d+)?|\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|\b(?:lunes|martes|miercoles|jueves|viernes|sabados?|domingos?|montags?|dienstags?|mittwochs?|donnerstags?|freitags?|samstags?|sonntags?|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche)\b|\b(?:january|february|march|april|may|june|july|august|september|october|november|december)\b/gu;

/**
 * Matches statements of home, work, partner, diet and school, which a person has one of at a time, and reports that it
 * has changed.
 */
const MATTERS: readonly (readonly [says: RegExp, changes: RegExp])[] = [
  [
    /\b(?:live|living|based|moved (?:to|in)|flat|apartment|house|rent|wohne|vivo|vivimos|j'habite|moro)\b|住/u,
    /\b(?:moved (?:to|out|back|in with)|i'?ve moved|we'?ve moved|we moved|i moved|relocated|new (?:flat|apartment|house|place)|umgezogen|me mude|demenage|me mudei)\b|搬到|引っ越し/u,
  ],
  [
    /\b(?:job|works? (?:at|as|for|in)|working (?:at|as|for|in)|shifts?|nights|employer|company|nurse|teacher|engineer|developer|driver|chef|waiter|arbeite|trabajo|laburo|travaille|trabalho|i'?m an? \w+(?:er|or|ist|ian|man))\b|工作|上班|働/u,
    /\b(?:new job|quit (?:my|the) job|i quit|resigned|got fired|was fired|laid off|left my job|i'?m retired|i retired|got promoted|changed jobs|start(?:ed|ing)? (?:a|my|the) new job|moved to a \w+ (?:post|role|job)|gekundigt|renuncie|demissionne|me demiti)\b|辞め|やめました|换工作|辞职/u,
  ],
  [
    /\b(?:wife|husband|girlfriend|boyfriend|gf|bf|fiancee?|partner|married|engaged|dating|novi[ao]|copine?|namorad[ao]|freundin)\b|女友|男友|彼女|彼氏/u,
    /\b(?:broke up|we split|split up|divorced|separated|my ex|dumped|is my ex|single now|not together|getrennt|corte con|lo dejamos|on a rompu|on s'est separes|terminamos)\b|分手|別れ/u,
  ],
  [
    /\b(?:vegan|veggie|vegetarian|pescatarian|halal|kosher|sober|keto|don'?t (?:eat|drink))\b|素食|菜食/u,
    /\b(?:(?:not|no longer) (?:a )?(?:vegan|veggie|vegetarian)|eat(?:ing)? (?:\w+ )?(?:meat|fish|eggs|dairy|everything) again|(?:vegan|veggie|vegetarian) (?:now|since)|drinking again)\b/u,
  ],
  [
    /\b(?:study|studying|student|uni|university|degree|major|course)\b|学/u,
    /\b(?:dropped out|graduated|switched (?:majors?|courses?)|changed (?:majors?|courses?))\b/u,
  ],
];

/** Matches statements that something named in the clause has ended. */
const ENDING =
  /\b(?:any ?more|no longer|used to|quit|quitting|gave up|given up|got rid of|cancel+ed|called off|fell through|sold|broke up|divorced|separated|stopped|dropped|passed away|died|is over|it's over|closed down|shut down|gone|deferred|postponed|nicht mehr|aufgehort|gekundigt|verkauft|getrennt|ya no|deje|vendi|renuncie|corte con|ne plus|plus de|arrete|quitte|vendu|nao mais|larguei|parei)\b|\bno more\b|\b(?:left|leaving) (?:the|my|our|\p{L}+ (?:in|last|on|for))\b|不再|辞|卖了|やめ|もう.*ない|別れ/u;
const RETRACTION =
  /\b(?:scratch that|forget (?:that|what i said|it)|ignore (?:that|what i said)|never ?mind|correction|i was wrong|i lied|(?:i was |just )?(?:kidding|joking)|i meant|my mistake|not true|vergiss das|olvidalo|oublie|esquece)\b|当我没说|間違え/u;
const REPLACEMENT =
  /\b(?:now|instead|actually|new|changed?|changing|switch(?:ed|ing)?|moved? to|replaced|rather than|raised|lowered|from now on|no longer|turns out|back to|again|became|promoted|jetzt|stattdessen|neue[rns]?|ahora|en vez|nuev[ao]|maintenant|nouve\w+|agora|nov[ao])\b|^no\b|现在|换|改|今は|変わ/u;
