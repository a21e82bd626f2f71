import { analyze } from '../../language/terms.ts';
import { messageText } from '../../model/message.ts';
import type { ContextNote } from './context-item.ts';
import { sentOf, type ContextParts } from './context-layout.ts';
import { isQuotable, quotedText } from './fence.ts';

/**
 * Returns the parts without the facts and claims that repeat a message as far as it is sent verbatim, or the profile. Of several
 * claims in a note, the others stay.
 */
export function saidOnce(parts: ContextParts): ContextParts {
  const quoted = quotedIn(parts);
  // An outdated part of a turn does not make a current fact redundant.
  const outdated = new Set(
    parts.recalled.flatMap((turn) => (turn.outdated ? turn.messages.map(({ id }) => id) : [])),
  );
  const isNew = ({ sources, claims, saidBy }: ContextNote): boolean => {
    const said = sources.filter((id) => quoted.has(id));
    if (claims) {
      const isTold = (each: { id: string; text: string }): boolean =>
        isInLasting(each, parts) || said.some((id) => isQuotedIn(quoted.get(id), each.text));
      return claims.length === 0 ? said.length === 0 : !claims.every(isTold);
    }
    return !saidBy || !said.some((id) => !outdated.has(id) && hasWords(quoted.get(id)?.text ?? '', saidBy));
  };
  const { profile, facts, stated } = parts;
  const left = untold(stated, parts);
  const inProfile = new Set(profile.map(({ factId }) => factId));
  const told = facts.filter(
    (fact) => isNew(fact) && (fact.factId === undefined || !inProfile.has(fact.factId)),
  );
  const isSame = left.length === stated.length && left.every((note, position) => note === stated[position]);
  if (isSame && profile.every(isNew) && told.length === facts.length) return parts;
  return { ...parts, profile: profile.filter(isNew), facts: told, stated: left };
}

/** Text of a message as far as it is sent. */
interface SentText {
  readonly text: string;
  readonly isWhole: boolean;
}

function quotedIn({ window, recalled }: ContextParts): ReadonlyMap<string, SentText> {
  const sent = sentOf(window)
    .filter(isQuotable)
    .map((message) => [message.id, { text: messageText(message), isWhole: true }] as const);
  const quoted = recalled.flatMap(({ messages, passages }) =>
    messages.filter(isQuotable).flatMap((message) => {
      const text = quotedText(message, passages);
      return text === ''
        ? []
        : [[message.id, { text, isWhole: passages?.has(message.id) !== true }] as const];
    }),
  );
  return new Map([...sent, ...quoted]);
}

/** Whether a claim of a message is told where the message is quoted: of a long message, only some passages are. */
function isQuotedIn(sent: SentText | undefined, claim: string): boolean {
  return sent !== undefined && (sent.isWhole || sent.text.includes(claim));
}

/** Whether a claim is in the part of the request that does not change with the question. */
function isInLasting({ id, text }: { id: string; text: string }, { summary, gap }: ContextParts): boolean {
  const line = text.replaceAll(/\s+/gu, ' ').trim();
  return (
    summary?.text.includes(line) === true ||
    gap.some(({ claims }) => claims?.some((each) => each.id === id) === true)
  );
}

/** Whether a message has all words of a note. "He" is not a name, so a fact that names the person is not redundant. */
function hasWords(text: string, words: readonly string[]): boolean {
  const terms = new Set(analyze(text));
  return words.every((word) => terms.has(word));
}

/** Returns what notes say that is neither in the profile nor in a turn that is sent. */
export function untold(notes: readonly ContextNote[], parts: ContextParts): ContextNote[] {
  const quoted = quotedIn(parts);
  const told = new Set(parts.profile.flatMap((line) => line.claims?.map(({ id }) => id) ?? []));
  return notes.flatMap((note) => {
    const { claims, sources } = note;
    if (!claims) return note;
    if (claims.length === 0 && sources.some((id) => quoted.has(id))) return [];
    const left = claims.filter(
      (each) =>
        !told.has(each.id) &&
        !isInLasting(each, parts) &&
        !sources.some((id) => isQuotedIn(quoted.get(id), each.text)),
    );
    if (left.length === claims.length) return note;
    return left.length === 0 ? [] : { ...note, claims: left, text: statedText(left) };
  });
}

/** Returns the user's claims in a message as one line. */
export function statedText(claims: readonly { readonly text: string }[]): string {
  return claims.map(({ text }, index) => text + separator(text, index === claims.length - 1)).join('');
}

function separator(text: string, isLast: boolean): string {
  if (isLast) return '';
  return ENDS_SENTENCE.test(text) ? ' ' : '; ';
}

const ENDS_SENTENCE = /[.!?…。！？]["'”’»)]*$/u;
