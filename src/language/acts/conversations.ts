import { fold } from '../fold.ts';
import { fromFirstToLast, type Line, type Span } from '../text-spans.ts';
import { regex } from '../words/lists.ts';
import { BEGINS_FIRST_PERSON } from './first-person.ts';

/**
 * Returns what others say in a copied conversation: behind the names of speakers, of whom one speaks twice or is the user,
 * below names alone on their lines, or below a name with a time. Without what the user says in it ("Me: …").
 */
export function conversations(lines: readonly Line[], userName: string | undefined): Span[] {
  return [
    ...dialogue(lines, userName),
    ...named(lines),
    ...belowTimes(lines, userName),
    ...nicks(lines, userName),
  ];
}

/**
 * Returns lines that begin with the name of a speaker and those below them, if there are two speakers and one of them
 * speaks twice; without those of the user ("Me: …").
 */
function dialogue(lines: readonly Line[], userName: string | undefined): Span[] {
  const spoken = lines.flatMap((line, at) => {
    const speaker = LABEL.exec(line.text)?.[1];
    return speaker === undefined ? [] : [{ ...line, at, speaker: speaker.toLowerCase() }];
  });
  const speakers = new Set(spoken.map(({ speaker }) => speaker));
  const isAnswered =
    speakers.size < spoken.length || [...speakers].some((speaker) => isUser(speaker, userName));
  const isRepeated =
    speakers.size === 1 && spoken.length > 1 && ![...speakers].some((speaker) => OWN_LABEL.test(speaker));
  if (!isRepeated && (speakers.size < 2 || !isAnswered || spoken.length < 2)) return [];
  return spoken.flatMap(({ start, end, at, speaker }, position) => {
    if (isUser(speaker, userName)) return [];
    const next = spoken[position + 1]?.at ?? at + 1;
    const below = lines.slice(at, next).findLast(({ text }) => text.trim() !== '');
    return [{ start, end: below?.end ?? end }];
  });
}

/** Returns what stands below names that stand alone on their lines, if one of them speaks twice. */
function named(lines: readonly Line[]): Span[] {
  const names = lines.filter(({ text }) => /^\s*\p{Lu}[\p{L}'’-]+(?: \p{Lu}[\p{L}'’.-]*)?\s*$/u.test(text));
  const distinct = new Set(names.map(({ text }) => text.trim()));
  const [first] = names;
  const last = lines.at(-1);
  return first && last && distinct.size > 1 && distinct.size < names.length
    ? [{ start: first.start, end: last.end }]
    : [];
}

/** Returns what stands below the name and the time of somebody who speaks: "Bob Miller 9:41 AM". */
function belowTimes(lines: readonly Line[], userName: string | undefined): Span[] {
  const headers = lines.flatMap((line, at) => {
    const speaker = CHAT_HEADER.exec(line.text)?.groups?.['speaker'];
    return speaker === undefined ? [] : [{ at, speaker: speaker.trim() }];
  });
  return headers.flatMap(({ at, speaker }, position) => {
    const [first, last] = [lines[at + 1], lines[(headers[position + 1]?.at ?? lines.length) - 1]];
    return first && last && last.start >= first.start && !isUser(speaker, userName)
      ? [{ start: first.start, end: last.end }]
      : [];
  });
}

/** Returns the lines behind the nicks of others in a chat: "<ola> I moved". */
function nicks(lines: readonly Line[], userName: string | undefined): Span[] {
  const spoken = lines.flatMap(({ text, start, end }) => {
    const nick = NICK.exec(text)?.groups?.['nick'];
    return nick === undefined ? [] : [{ start, end, nick }];
  });
  return spoken.filter(({ nick }) => !isUser(nick, userName)).map(({ start, end }) => ({ start, end }));
}

/** The nick in front of what is said, perhaps behind a time. */
export const NICK: RegExp =
  /^[^\S\n]{0,9}(?:[[(]?\d{1,2}:\d\d(?::\d\d)?(?: ?[ap]m)?[\])]?\s{1,3})?<[@+%~& ]?(?<nick>[\p{L}_][\p{L}\p{N}_-]{0,30})>\s{1,3}\S/iu;

const CHAT_HEADER =
  /^\s*(?:\[[^\]]{4,25}\]\s*)?@?(?<speaker>[\p{L}][\p{L}\p{N}\p{Extended_Pictographic}\ufe0f_ .'’-]{0,30}?)(?:\s[—–-]\s|\s+|,\s*)(?:\(?\d{1,2}:\d\d(?: ?[ap]m)?\)?|(?:today|yesterday|heute|hoy)(?: at \d.*)?|\d+ ?(?:h|m|d|w|min|mins|hours?|days?|weeks?|months?|years?)(?: ago)?)\s*$/iu;

/** A single line that begins with a speaker's name, and goes on in the first person: "Bob: I moved". */
export function labelled(lines: readonly Line[], userName: string | undefined): Span | undefined {
  const spoken = lines.filter(({ text }) => {
    const label = LABEL.exec(text);
    const name = label?.[1] ?? '';
    return (
      label !== null &&
      NAME.test(name) &&
      !OWN_LABEL.test(name) &&
      !isUser(name, userName) &&
      (BEGINS_FIRST_PERSON.test(text.slice(label[0].length)) ||
        /^(?:bio|about|summary|job|name|q|a)$/iu.test(name))
    );
  });
  // A form has many labels, each of them once.
  return spoken.length > 0 &&
    new Set(lines.flatMap(({ text }) => LABEL.exec(text)?.[1] ?? [])).size < FORM_LABELS
    ? fromFirstToLast(spoken, 1)
    : undefined;
}

const FORM_LABELS = 3;

/** A name, a handle, or one capital letter. */
const NAME =
  /^(?:\p{Lu}[\p{L}.'-]*(?: (?:von |de |da |di |van |the )?\p{Lu}[\p{L}.'-]*){0,2}|bio|about|job)$/u;
/** Labels under which people write to an assistant. */
const OWN_LABEL = regex(
  String.raw`^(?:me|myself|about me|us|update|edit|note|notes|ps|p\.s\.|question|problem|issue|context|background|goal|goals|plan|task|situation|setup|symptoms|reason|because|info|tl;?dr|fyi|btw|also|so|anyway|first|second|third|next|now|today|yesterday|tomorrow|morning|evening|{weekday}|age|diet|budget|reminder|confession|fact|facts|idea|example|answer|answers|yes|no|ok|okay|important|warning|good news|bad news|news|change|correction|clarification|long story short|the thing is|my [\p{L} ]+|our [\p{L} ]+|ich|zu mir|frage|problema|pregunta|{weekdayElsewhere})$`,
  'iu',
);

const LABEL = /^\s*(?:[~*•-]\s*)?(?:\[[^\]]{1,30}\]\s*)?([\p{L}][\p{L} .'()-]{0,29}):\s/u;
/** Whether a label names the user. */
function isUser(label: string, userName: string | undefined): boolean {
  return MYSELF.test(label) || (userName !== undefined && fold(label) === fold(userName));
}

const MYSELF = /^(?:me|myself|mine|my (?:reply|answer|words?)|ich|meine (?:antwort|worte)|moi|yo|eu|io)$/iu;
