import { foreignParts, supposedParts, withoutQuotedLines } from '../language/pasted-parts.ts';
import { splitSentences } from '../language/sentences.ts';
import { isUnspoken, messageText, timeSaid, type StoredMessage } from '../model/message.ts';
import { CUT_MARK, shorten } from './cut-text.ts';
import type { SourceMessage } from './extractor.ts';
import { copyDetector } from './near-copies.ts';

/** Maximum length of a tool result, in UTF-16 code units. */
const MAX_TOOL_CHARACTERS = 4000;
/** Maximum length of a message that is learned from, in UTF-16 code units. */
const MAX_READ_CHARACTERS = 20_000;

/** Returns the part of a text that is learned from: the beginning, if the text is very long. */
export function readPart(text: string): string {
  return text.slice(0, MAX_READ_CHARACTERS).toWellFormed();
}

/**
 * Returns the messages of a turn without the parts from which nothing may be learned.
 *
 * Drops system messages, notices of the page, fenced recalled text, and text that only repeats it: quoted lines and
 * code in an answer, and sentences of an answer that say nothing beyond `known` and the question. Text that the user
 * pasted is kept and marked. Only the first 20,000 characters of a text are read.
 *
 * @param known sentences that the answer may be based on: facts, earlier messages
 * @param knownFor returns more of them for the text of the answers, when there are too many to pass
 * @param userName name of the user: see `foreignParts`
 */
export function sourceMessages(
  turn: readonly StoredMessage[],
  known: readonly string[],
  knownFor: (answers: string) => readonly string[] = () => [],
  userName?: string,
): SourceMessage[] {
  const own = turn.map((message) => {
    const text = withoutFences(messageText(message));
    if (message.role === 'tool') return shorten(text, MAX_TOOL_CHARACTERS);
    if (message.role === 'assistant') return withoutQuotedLines(readPart(text), CUT_MARK);
    return message.role === 'user' ? withoutSupposed(text) : text;
  });
  const said = (role: StoredMessage['role']): string =>
    own.filter((_text, index) => turn[index]?.role === role).join('\n');
  const isCopy = copyDetector(
    [...known.map(readPart), ...knownFor(said('assistant'))],
    readPart(said('user')),
  );
  return turn.flatMap((message, index): SourceMessage[] => {
    if (message.role === 'system' || isUnspoken(message)) return [];
    const { role, id } = message;
    const whole = own[index] ?? '';
    const text = role === 'assistant' ? withoutCopies(whole, isCopy) : readPart(whole);
    if (text.replaceAll(CUT_MARK, '').trim() === '') return [];
    const name = 'name' in message && message.name !== undefined ? { name: message.name } : {};
    const source = {
      id,
      role,
      ...name,
      ...(message.origin === 'import' ? { origin: 'import' as const } : {}),
      text,
      createdAt: timeSaid(message),
    };
    const pasted = foreignParts(message, whole, userName).flatMap((part) => partRead(whole, part));
    return [pasted.length === 0 ? source : { ...source, pasted }];
  });
}

/** Nothing is learned from games, stories and hypotheses. */
function withoutSupposed(text: string): string {
  return supposedParts(text).reduce((rest, part) => rest.replace(part, () => CUT_MARK), text);
}

/** Returns as much of a part of a text as {@link readPart} leaves of it. */
function partRead(text: string, part: string): string[] {
  const read = readPart(text);
  if (read.includes(part)) return [part];
  const start = text.indexOf(part);
  return start < 0 || start >= read.length ? [] : [read.slice(start)];
}

/** Removes the text between the marks of recalled text; if the end mark is missing, everything after the first one. */
function withoutFences(text: string): string {
  const unfenced = text.replaceAll(FENCE, CUT_MARK);
  // The start mark was cut off, so the text before the end mark may be recalled.
  const end = [...unfenced.matchAll(END_MARK)].at(-1);
  const kept = end ? `${CUT_MARK}${unfenced.slice(end.index + end[0].length)}` : unfenced;
  return kept === text ? text : kept.trim();
}

const FENCE = /<memory-([0-9a-z]{1,64})\s*>[\s\S]*?(?:<\/memory-\1\s*>|$)/giu;
const END_MARK = /<\/memory-[0-9a-z]{1,64}\s*>/giu;

function withoutCopies(text: string, isCopy: (sentence: string) => boolean): string {
  const sentences = splitSentences(text).map((sentence) =>
    RECALL_HEADER.test(sentence) || isCopy(sentence)
      ? `${CUT_MARK}${sentence.slice(sentence.trimEnd().length)}`
      : sentence,
  );
  return sentences
    .join('')
    .replaceAll(/(?:\[…\]\s*){2,}/gu, (run) => `${CUT_MARK}${run.endsWith('\n') ? '\n' : ' '}`);
}

/** A heading in recalled text. */
const RECALL_HEADER = /^\[(?:\d{4}-\d\d-\d\d|no longer true since [^\]]*|rejected by the user: [^\]]*)\]/u;
