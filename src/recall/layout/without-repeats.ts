import { analyze } from '../../language/terms.ts';
import { messageText, type StoredMessage } from '../../model/message.ts';
import type { ContextNote } from './context-item.ts';
import { sentOf, type ContextParts } from './context-layout.ts';
import { isQuotable } from './fence.ts';

/** Returns the parts without the facts and claims that repeat a message that is sent verbatim. */
export function saidOnce(parts: ContextParts): ContextParts {
  const sent = [...sentOf(parts.window), ...parts.recalled.flatMap(({ messages }) => messages)];
  const quoted = new Map(sent.filter(isQuotable).map((message) => [message.id, message]));
  // An outdated part of a turn does not make a current fact redundant.
  const outdated = new Set(
    parts.recalled.flatMap((turn) => (turn.outdated ? turn.messages.map(({ id }) => id) : [])),
  );
  const isNew = ({ sources, claims, saidBy }: ContextNote): boolean => {
    const said = sources.flatMap((id) => quoted.get(id) ?? []);
    if (claims) {
      const isTold = claims.length > 0 && claims.every((each) => isInLasting(each, parts));
      return said.length === 0 && !isTold;
    }
    return !saidBy || !said.some((message) => !outdated.has(message.id) && hasWords(message, saidBy));
  };
  const { profile, facts, stated } = parts;
  if ([...profile, ...facts, ...stated].every(isNew)) return parts;
  return {
    ...parts,
    profile: profile.filter(isNew),
    facts: facts.filter(isNew),
    stated: stated.filter(isNew),
  };
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
function hasWords(message: StoredMessage, words: readonly string[]): boolean {
  const terms = new Set(analyze(messageText(message)));
  return words.every((word) => terms.has(word));
}

/** Returns the part of a note that is neither in the profile nor in a turn that is sent; undefined if nothing is left. */
export function untold(note: ContextNote, parts: ContextParts): ContextNote | undefined {
  const { profile, window, recalled } = parts;
  const { claims, sources } = note;
  if (!claims) return note;
  if ([...window, ...recalled].some(({ messages }) => messages.some(({ id }) => sources.includes(id))))
    return undefined;
  const told = new Set(profile.flatMap((line) => line.claims?.map(({ id }) => id) ?? []));
  const left = claims.filter((each) => !told.has(each.id) && !isInLasting(each, parts));
  if (left.length === claims.length) return note;
  return left.length === 0 ? undefined : { ...note, claims: left, text: statedText(left) };
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
