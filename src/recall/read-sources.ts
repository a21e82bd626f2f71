import { sentenceOf } from '../graph/triple.ts';
import { signalOf, type SignalOption } from '../model/call-options.ts';
import { argument, checkName } from '../model/check-options.ts';
import { messageText } from '../model/message.ts';
import { readMessages } from '../storage/transcript/read-session.ts';
import { SOURCES_NAMESPACE, type AnswerSourceIds } from '../model/answer-sources.ts';
import type { RecallParts } from './recall-parts.ts';

/** Something that an answer was given from, as the memory has it now. */
export interface AnswerSource extends AnswerSourceIds {
  /** The fact as a sentence, or the whole texts of the messages that are left, one to a line. */
  readonly text: string;
}

/** Returns what an answer was given from; see `Memory.sources`. */
export async function readSources(
  { stores, settings, graph }: RecallParts,
  messageId: string,
  options: SignalOption,
): Promise<AnswerSource[]> {
  const signal = signalOf('sources', options);
  argument(checkName, 'The id of a message')('messageId', messageId);
  const { scope } = settings;
  const given = signal ? { signal } : {};
  const kept = await stores.records(SOURCES_NAMESPACE, { scope }).get(messageId, given);
  const sources = (kept ?? []) as unknown as readonly AnswerSourceIds[];
  if (sources.length === 0) return [];
  const quoted = sources.flatMap(({ factId, messageIds }) => (factId === undefined ? messageIds : []));
  const messages = await readMessages(stores.engine, scope, [...new Set(quoted)], signal);
  const texts = new Map(messages.map((message) => [message.id, messageText(message)]));
  const { graph: facts } = await graph.rows(signal);
  return sources.flatMap((source) => {
    const fact = source.factId === undefined ? undefined : facts.triple(source.factId);
    const left = source.messageIds.flatMap((id) => texts.get(id) ?? []);
    const text = source.factId === undefined ? left.join('\n') : fact && sentenceOf(fact);
    return text ? [{ ...source, text }] : [];
  });
}
