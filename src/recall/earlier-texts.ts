import { isNotice, messageText, timeSaid, type StoredMessage } from '../model/message.ts';
import type { MessageMetadata } from '../search/conversation-segment.ts';
import { rankMessages } from './rank/rank-messages.ts';
import type { RecallParts } from './recall-parts.ts';

/** Number of earlier messages with which a reply is compared to find repetitions. */
const RECALLED_MESSAGES = 8;
const RECALLED_QUERY_CHARACTERS = 1000;

/** Returns, by turn, earlier texts that its replies may be based on. */
export async function earlierTexts(
  { index, stores, settings }: RecallParts,
  turns: readonly (readonly StoredMessage[])[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const texts = new Map<string, readonly string[]>();
  await index.sync(signal);
  for (const turn of turns) {
    const [first] = turn;
    const replies = turn.filter((message) => message.role === 'assistant' && !isNotice(message));
    if (!first || replies.length === 0) continue;
    const isEarlier = (place: MessageMetadata): boolean => isBefore(place, first);
    const hits = replies.flatMap((reply) => {
      const query = messageText(reply).slice(0, RECALLED_QUERY_CHARACTERS);
      const found = rankMessages(index.rankingInput(query, [], isEarlier));
      return found.slice(0, RECALLED_MESSAGES);
    });
    const turnIds = new Set(hits.flatMap((hit) => index.get(hit.id)?.turnId ?? []));
    const found = await stores.transcript.loadTurns(settings.scope, [...turnIds], signal);
    texts.set(first.turnId, found.flat().map(messageText));
  }
  return texts;
}

/** Whether a message was said before a turn began. Within a session, the clock does not decide this. */
function isBefore(place: MessageMetadata, first: StoredMessage): boolean {
  if (place.turnId === first.turnId) return false;
  return place.sessionId === first.sessionId ? place.order < first.seq : place.createdAt <= timeSaid(first);
}
