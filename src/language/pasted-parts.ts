import type { ChatMessage } from '../model/message.ts';
import { quotedInAnswer } from './acts/quotations.ts';
import { stretchesNotOwn, type SpeechAct } from './speech-acts.ts';
import { joined, spansInOrder, spansWithout, textBetween, type Span } from './text-spans.ts';

/**
 * Returns the parts of a user's text that come from elsewhere: quotations of any length in which somebody speaks, texts to
 * work on, forwarded and copied texts, code. The parts are in order, do not overlap, and are exact substrings. Text that
 * shows no sign of it is not detected.
 *
 * @param userName name under which the user speaks in a copied conversation. @default only "me" is the user
 */
export function pastedParts(text: string, userName?: string): string[] {
  return partsOf(text, ['material'], userName);
}

/**
 * Returns the parts of a user's text that are not their own talk: what was pasted, what is only supposed, and what even a
 * person could not tell. See {@link stretchesNotOwn}.
 */
export function partsNotOwn(text: string, userName?: string): string[] {
  return partsOf(text, ['material', 'supposed', 'unclear'], userName);
}

/** Returns the parts that are only supposed: games, stories, hypotheses. */
export function supposedParts(text: string): string[] {
  return partsOf(text, ['supposed']);
}

function partsOf(text: string, acts: readonly SpeechAct[], userName?: string): string[] {
  const spans = stretchesNotOwn(text, userName).filter(({ act }) => acts.includes(act));
  return joined(spans).map(({ start, end }) => text.slice(start, end));
}

/**
 * Returns the parts of a user message that are not the user's own words: the whole text if another person wrote it,
 * if it was imported or if it is a document; otherwise the content parts marked as documents, and everything
 * that is not the user's own talk.
 *
 * @param text text of the message, as far as it is read
 * @param partsIn finds the parts of a text without marks of its own. @default {@link partsNotOwn}
 * @param userName name under which the user speaks; a message with any other name is another person's
 */
export function foreignParts(
  message: ChatMessage,
  text: string,
  userName: string | undefined,
  partsIn: (text: string, userName?: string) => readonly string[] = partsNotOwn,
): readonly string[] {
  if (message.role !== 'user') return [];
  if (isOfAnother(message, userName)) return text === '' ? [] : [text];
  const documents = documentsIn(message, text);
  return [
    ...documents.map(({ start, end }) => text.slice(start, end)),
    ...partsIn(textBetween(text, documents, '\n\n'), userName),
  ];
}

/** Returns the content parts of a message that the page marks as documents. */
function documentsIn({ content }: ChatMessage, text: string): Span[] {
  const documents =
    typeof content === 'string' || content === null
      ? []
      : content.flatMap((part) =>
          part.type === 'text' && part['origin'] === 'document' ? [String(part['text'])] : [],
        );
  return joined(spansInOrder(text, documents));
}

/**
 * Returns the parts of a user's message that may or may not be the user's own words, even to a human reader.
 *
 * @param userName name of the user: see {@link foreignParts}
 */
export function unclearParts(message: ChatMessage, text: string, userName: string | undefined): string[] {
  if (message.role !== 'user' || isOfAnother(message, userName)) return [];
  const typed = textBetween(text, documentsIn(message, text), '\n\n');
  const stretches = stretchesNotOwn(typed, userName);
  const unclear = joined(stretches.filter(({ act }) => act === 'unclear'));
  const others = joined(stretches.filter(({ act }) => act !== 'unclear'));
  return spansWithout(unclear, others).map(({ start, end }) => typed.slice(start, end));
}

/** Whether another person has written a message, or it was not written in this chat. */
function isOfAnother(message: ChatMessage & { role: 'user' }, userName: string | undefined): boolean {
  return (message.name !== undefined && message.name !== userName) || message.origin !== undefined;
}

/** Returns the text with `mark` in place of each run of `>` lines and code fences. */
export function withoutQuotedLines(text: string, mark: string): string {
  const spans = joined(quotedInAnswer(text));
  return spans.length === 0 ? text : textBetween(text, spans, mark).trim();
}

/** Returns a part without the quotation marks around it, the marks of quoted lines and verses, and those between cells. */
export function withoutMarks(part: string): string {
  return part
    .replaceAll(/^[\t ]*(?:[>♪♫|*•-][\t ]*)+/gmu, '')
    .replaceAll(/,(?=\S)|\t|;(?=\S)| \| /gu, '\n')
    .replaceAll(/^[\s"“”„«»'‘’`]+|[\s"“”„«»'‘’`]+$/gu, '');
}
