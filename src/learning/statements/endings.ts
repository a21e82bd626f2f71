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
  const earlier: Read[] = [];
  const places = new Map<string, number[]>();
  for (const statement of statements) {
    const read = readStatement(statement);
    const isBare = read.isRetraction && read.stems.size < 2;
    const targets = isBare ? lastSaid(earlier, read) : candidates(read, earlier, places);
    for (const target of targets) {
      if (!ended.has(target.id) && (isBare || ends(read, target))) ended.set(target.id, read.id);
    }
    for (const key of [...read.stems, ...read.matters.map(matterKey)]) {
      const known = places.get(key);
      if (known) known.push(earlier.length);
      else places.set(key, [earlier.length]);
    }
    earlier.push(read);
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
  const read = readings.get(statement) ?? readStatement(statement);
  readings.set(statement, read);
  return read;
}

interface Read {
  readonly id: string;
  readonly messageId: string;
  readonly folded: string;
  readonly stems: ReadonlySet<string>;
  /** Stems of names: two statements about the same person need not be related. */
  readonly names: ReadonlySet<string>;
  /** Stems of what is new: "new teacher". */
  readonly renewed: ReadonlySet<string>;
  readonly values: ReadonlySet<string>;
  readonly matters: readonly Matter[];
  readonly endsMatters: readonly Matter[];
  readonly isEnding: boolean;
  readonly isRetraction: boolean;
  readonly isReplacement: boolean;
}

/** Something that a person has one of at a time. */
type Matter = 'home' | 'work' | 'partner' | 'diet' | 'school';

function readStatement({ id, text, messageId }: TimedStatement): Read {
  const folded = foldForWords(text);
  return {
    id,
    messageId,
    folded,
    stems: contentStems(text),
    names: contentStems((text.match(INNER_CAPITAL) ?? []).join(' ')),
    renewed: contentStems(Array.from(folded.matchAll(RENEWED), ([, noun]) => noun).join(' ')),
    values: new Set(folded.match(VALUE) ?? []),
    matters: MATTERS.filter(([, says]) => says.test(folded)).map(([matter]) => matter),
    endsMatters: MATTERS.filter(([, , changes]) => changes.test(folded)).map(([matter]) => matter),
    isEnding: ENDING.test(folded),
    isRetraction: RETRACTION.test(folded),
    isReplacement: REPLACEMENT.test(folded),
  };
}

function ends(later: Read, target: Read): boolean {
  if (later.endsMatters.some((matter) => target.matters.includes(matter)) && sameSubject(later, target))
    return true;
  const shared = [...later.stems].filter((stem) => target.stems.has(stem) && !isName(stem, later, target));
  if ([...later.renewed].some((stem) => target.stems.has(stem)) && HOLDER.test(target.folded)) return true;
  if (later.isEnding && shared.length > 0) return true;
  const hasOtherValue =
    later.values.size > 0 &&
    target.values.size > 0 &&
    ![...later.values].some((value) => target.values.has(value));
  if ((later.isReplacement || later.isRetraction) && shared.length > 0 && hasOtherValue) return true;
  return (later.isReplacement || later.isRetraction) && shared.length > 1;
}

function isName(stem: string, later: Read, target: Read): boolean {
  return later.names.has(stem) || target.names.has(stem);
}

/** Whether both are about the user, or about somebody whom both mention. */
function sameSubject(later: Read, target: Read): boolean {
  const isOwn = OWN.test(later.folded) || SUBJECT_DROPPED.test(later.folded);
  if (isOwn && (OWN.test(target.folded) || !OTHERS.test(target.folded))) return true;
  return [...later.stems].some((stem) => target.stems.has(stem));
}

/** Returns the earlier statements that share a word or a matter, if the later one reports a change. */
function candidates(
  read: Read,
  earlier: readonly Read[],
  places: ReadonlyMap<string, readonly number[]>,
): Read[] {
  const changes = read.isEnding || read.isReplacement || read.isRetraction || read.renewed.size > 0;
  const keys = [...(changes ? read.stems : []), ...read.endsMatters.map(matterKey)];
  const found = new Set(keys.flatMap((key) => places.get(key) ?? []));
  return [...found].flatMap((place) => earlier[place] ?? []);
}

/** A key that cannot equal a stem, because stems contain no space. */
function matterKey(matter: Matter): string {
  return `a ${matter}`;
}

/** Returns the last statement of an earlier message. */
function lastSaid(earlier: readonly Read[], { messageId }: Read): Read[] {
  const last = earlier.findLast((each) => each.messageId !== messageId);
  return last ? [last] : [];
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

const MATTERS: readonly (readonly [Matter, RegExp, RegExp])[] = [
  [
    'home',
    /\b(?:live|living|based|moved (?:to|in)|flat|apartment|house|rent|wohne|vivo|vivimos|j'habite|moro)\b|住/u,
    /\b(?:moved (?:to|out|back|in with)|i'?ve moved|we'?ve moved|we moved|i moved|relocated|new (?:flat|apartment|house|place)|umgezogen|me mude|demenage|me mudei)\b|搬到|引っ越し/u,
  ],
  [
    'work',
    /\b(?:job|works? (?:at|as|for|in)|working (?:at|as|for|in)|shifts?|nights|employer|company|nurse|teacher|engineer|developer|driver|chef|waiter|arbeite|trabajo|laburo|travaille|trabalho|i'?m an? \w+(?:er|or|ist|ian|man))\b|工作|上班|働/u,
    /\b(?:new job|quit (?:my|the) job|i quit|resigned|got fired|was fired|laid off|left my job|i'?m retired|i retired|got promoted|changed jobs|start(?:ed|ing)? (?:a|my|the) new job|moved to a \w+ (?:post|role|job)|gekundigt|renuncie|demissionne|me demiti)\b|辞め|やめました|换工作|辞职/u,
  ],
  [
    'partner',
    /\b(?:wife|husband|girlfriend|boyfriend|gf|bf|fiancee?|partner|married|engaged|dating|novi[ao]|copine?|namorad[ao]|freundin)\b|女友|男友|彼女|彼氏/u,
    /\b(?:broke up|we split|split up|divorced|separated|my ex|dumped|is my ex|single now|not together|getrennt|corte con|lo dejamos|on a rompu|on s'est separes|terminamos)\b|分手|別れ/u,
  ],
  [
    'diet',
    /\b(?:vegan|veggie|vegetarian|pescatarian|halal|kosher|sober|keto|don'?t (?:eat|drink))\b|素食|菜食/u,
    /\b(?:(?:not|no longer) (?:a )?(?:vegan|veggie|vegetarian)|eat(?:ing)? (?:\w+ )?(?:meat|fish|eggs|dairy|everything) again|(?:vegan|veggie|vegetarian) (?:now|since)|drinking again)\b/u,
  ],
  [
    'school',
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
