import { isNotice, messageText, type StoredMessage } from '../model/message.ts';
import type { SourceMessage } from './extractor.ts';
import { CUT_MARK } from './find-quote.ts';
import { copyDetector, splitSentences } from './near-copies.ts';
import { pastedParts, withoutQuotedLines } from './pasted-parts.ts';
import { shorten } from './shorten-text.ts';

/** The longest result of a tool that is read, in UTF-16 units. */
const MAX_TOOL_CHARACTERS = 4000;

/**
 * What may be learned from a turn: its messages without what was put there to be read, not to be learned.
 *
 * System messages and notices of the page are left out. Recalled text between its marks is cut, and so is what only repeats it: quoted lines
 * and code in an answer, and sentences of an answer that say no more than `known` and the question do. What a user
 * pasted stays, and is named.
 *
 * @param known sentences that the answer may have been given to go by: facts, earlier messages
 * @param knownFor the same, asked for with the text of the answers: where there are too many to look through all
 */
export function sourceMessages(
  turn: readonly StoredMessage[],
  known: readonly string[],
  knownFor: (answers: string) => readonly string[] = () => [],
): SourceMessage[] {
  const own = turn.map((message) => {
    const text = withoutFences(messageText(message));
    return message.role === 'assistant' ? withoutQuotedLines(text, CUT_MARK) : text;
  });
  const said = (role: StoredMessage['role']): string =>
    own.filter((_text, index) => turn[index]?.role === role).join('\n');
  const isCopy = copyDetector([...known, ...knownFor(said('assistant'))], said('user'));
  return turn.flatMap((message, index): SourceMessage[] => {
    if (message.role === 'system' || isNotice(message)) return [];
    const { role, id, createdAt } = message;
    const whole = own[index] ?? '';
    const text = role === 'assistant' ? withoutCopies(whole, isCopy) : whole;
    if (text.replaceAll(CUT_MARK, '').trim() === '') return [];
    const name = 'name' in message && message.name !== undefined ? { name: message.name } : {};
    const source = {
      id,
      role,
      ...name,
      text: role === 'tool' ? shorten(text, MAX_TOOL_CHARACTERS) : text,
      createdAt,
    };
    const pasted = role === 'user' ? pastedParts(text) : [];
    return [pasted.length === 0 ? source : { ...source, pasted }];
  });
}

/** Cuts what is between the marks of recalled text; all that follows where the end mark is missing. */
function withoutFences(text: string): string {
  const kept: string[] = [];
  let start = 0;
  for (;;) {
    FENCE_MARK.lastIndex = start;
    const match = FENCE_MARK.exec(text);
    if (!match) return joinKept([...kept, text.slice(start)], text);
    const [mark, slash, id = ''] = match;
    const behind = match.index + mark.length;
    if (slash === '/') {
      // Its beginning was cut off: what stands before it may be recalled.
      kept.length = 0;
      kept.push('');
      start = behind;
      continue;
    }
    kept.push(text.slice(start, match.index));
    const end = new RegExp(`</memory-${id}\\s*>`, 'iu').exec(text.slice(behind));
    if (!end) return joinKept([...kept, ''], text);
    start = behind + end.index + end[0].length;
  }
}

const FENCE_MARK = /<(\/?)memory-([0-9a-z]{1,64})\s*>/giu;

function joinKept(parts: readonly string[], text: string): string {
  return parts.length === 1 && parts[0] === text ? text : parts.join(CUT_MARK).trim();
}

function withoutCopies(text: string, isCopy: (sentence: string) => boolean): string {
  const sentences = splitSentences(text).map((sentence) =>
    RECALL_HEADER.test(sentence) || isCopy(sentence)
      ? `${CUT_MARK}${/\s*$/u.exec(sentence)?.[0] ?? ''}`
      : sentence,
  );
  return sentences
    .join('')
    .replaceAll(/(?:\[…\]\s*){2,}/gu, (run) => `${CUT_MARK}${run.endsWith('\n') ? '\n' : ' '}`);
}

/** The line above a recalled turn. */
const RECALL_HEADER = /^\[\d{4}-\d\d-\d\d \d\d:\d\d UTC, source [^\]]*\]/u;
