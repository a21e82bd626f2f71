import { yieldBetween } from '../model/event-loop.ts';
import { isNotice, messageText, timeSaid, type StoredMessage } from '../model/message.ts';
import type { MessageMetadata } from '../search/conversation-segment.ts';
import { rankMessages } from './rank/rank-messages.ts';
import type { RecallParts } from './recall-parts.ts';

/** Number of earlier messages with which a reply is compared to find repetitions. */
const RECALLED_MESSAGES = 8;
const RECALLED_QUERY_CHARACTERS = 1000;
/** The rarest words of a reply are searched for, up to this number of places, so that its cost does not grow. */
const RECALLED_PLACES = 1000;

/** Returns, by turn, earlier texts that its replies may be based on. */
export async function earlierTexts(
  { index, stores, settings }: RecallParts,
  turns: readonly (readonly StoredMessage[])[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, readonly string[]>> {
  await index.sync(signal);
  const earlier = new Map<string, string[]>();
  for await (const turn of yieldBetween(turns, signal)) {
    const [first] = turn;
    const replies = turn.filter((message) => message.role === 'assistant' && !isNotice(message));
    if (!first || replies.length === 0) continue;
    const isEarlier = (place: MessageMetadata): boolean => isBefore(place, first);
    const hits = replies.flatMap((reply) => {
      const text = messageText(reply).slice(0, RECALLED_QUERY_CHARACTERS);
      const query = index.parseRarest(text, RECALLED_PLACES);
      const found = rankMessages(index.rankingInput(query, [], isEarlier));
      return found.slice(0, RECALLED_MESSAGES);
    });
    earlier.set(first.turnId, [...new Set(hits.flatMap((hit) => index.get(hit.id)?.turnId ?? []))]);
  }
  // Read once for all turns: their replies often repeat the same ones.
  const turnIds = [...new Set([...earlier.values()].flat())];
  const found = await stores.transcript.loadTurns(settings.scope, turnIds, signal);
  const texts = new Map(found.map((turn) => [turn[0]?.turnId ?? '', turn.map(messageText)]));
  return new Map(Array.from(earlier, ([turnId, ids]) => [turnId, ids.flatMap((id) => texts.get(id) ?? [])]));
}

/** Whether a message was said before a turn began. Within a session, the clock does not decide this. */
function isBefore(place: MessageMetadata, first: StoredMessage): boolean {
  if (place.turnId === first.turnId) return false;
  return place.sessionId === first.sessionId ? place.order < first.seq : place.createdAt <= timeSaid(first);
}
