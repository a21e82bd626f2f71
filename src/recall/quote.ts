import { signalOf, type SignalOption } from '../model/call-options.ts';
import { invalidInput } from '../model/error.ts';
import type { StoredMessage } from '../model/message.ts';
import { readMessages } from '../storage/transcript/read-session.ts';
import { fenceMarks } from './layout/fence-marks.ts';
import { fence, isQuotable, quoteText } from './layout/fence.ts';
import { quoteDays } from './layout/quote-days.ts';
import type { RecallParts } from './recall-parts.ts';

/**
 * Longest quote of a message, in UTF-16 units. A model that searches needs the passage rather than the whole message.
 */
const MAX_QUOTE_CHARACTERS = 500;

/** Quotes messages by their ids, or a text; see {@link Memory.quote}. */
export async function quote(
  { stores, settings }: RecallParts,
  quoted: readonly string[] | string,
  options: SignalOption,
): Promise<string> {
  const signal = signalOf('quote', options);
  const isList = Array.isArray(quoted) && quoted.every((id) => typeof id === 'string');
  if (typeof quoted !== 'string' && !isList) {
    throw invalidInput('quote takes the ids of messages, or a text.');
  }
  const blocks =
    typeof quoted === 'string'
      ? quoted === ''
        ? []
        : [quoteText(quoted.toWellFormed())]
      : (await readMessages(stores.engine, settings.scope, [...new Set(quoted)], signal))
          .filter((message) => message.state === 'complete' && isQuotable(message))
          .map((message) => quoteDays([{ messages: [beginningOf(message)] }], []))
          .flatMap(([block]) => block?.text ?? []);
  if (blocks.length === 0) return '';
  // The same quotes get the same mark, so that an endpoint's prompt cache applies to them.
  const text = JSON.stringify(['quote', blocks]);
  return fence(fenceMarks(await stores.transcript.secret(), '', { text }).question, blocks);
}

/** Returns a message with the first characters of its text; an ellipsis marks what was cut. */
function beginningOf(message: StoredMessage): StoredMessage {
  let left = MAX_QUOTE_CHARACTERS;
  const cut = (text: string): string => {
    const kept = text.length <= left ? text : `${text.slice(0, Math.max(0, left - 1))}…`;
    left -= Math.min(left, text.length);
    // The cut may split a surrogate pair.
    return kept.replace(/[\uD800-\uDBFF](?=…$)/u, '');
  };
  const { content } = message;
  if (typeof content === 'string') return { ...message, content: cut(content) };
  const parts = (content ?? []).flatMap((part) =>
    part.type === 'text' && left > 0 ? [{ ...part, text: cut(String(part['text'])) }] : [],
  );
  return { ...message, content: parts } as StoredMessage;
}
