import type { ChatMessage, CountedMessage } from '../model/message.ts';
import type {
  DocumentRecord,
  EntityRow,
  FactRow,
  MessageRecord,
  SessionRecord,
  SummaryRecord,
} from '../storage/schema.ts';
import type { VectorEntry } from './backup-format.ts';
import { encodePlain } from './plain-value.ts';
import { isFiniteVector, vectorToText } from './vector-text.ts';

/** Without the secret, and without what is counted again. @param isTitleKept whether its source is still there */
export function encodeSession(session: SessionRecord, isTitleKept: boolean): object {
  const {
    fenceMark: _secret,
    messageCount: _count,
    erasures: _erasures,
    title,
    titleFrom,
    ...rest
  } = session;
  return isTitleKept ? { ...rest, title, titleFrom } : { ...rest, title: '' };
}

export function encodeMessage(row: MessageRecord): object {
  const { scope: _scope, openedBy: _openedBy, isAbandoned: _isAbandoned, ...message } = row;
  const { metadata } = message;
  return {
    ...message,
    ...encodeContent(message),
    ...(metadata === undefined ? {} : { metadata: encodePlain(metadata) }),
  };
}

export function encodeListed(message: CountedMessage): object {
  return { ...message, ...encodeContent(message) };
}

export function encodeSummary({ scope: _scope, ...summary }: SummaryRecord): object {
  return summary;
}

/** A vector with numbers that are none is left out: it can be made again. */
export function encodeDocument({ metadata, embedding, ...document }: DocumentRecord): object {
  return {
    ...document,
    ...(metadata === undefined ? {} : { metadata: encodePlain(metadata) }),
    ...(embedding && isFiniteVector(embedding.vector)
      ? { embedding: { embedder: embedding.embedder, vector: vectorToText(embedding.vector) } }
      : {}),
  };
}

export function encodeFact({ messageIds: _ids, ...fact }: FactRow): object {
  return fact;
}

export function encodeEntity({ messageIds: _ids, ...entity }: EntityRow): object {
  return entity;
}

export function encodeVector({ vector, ...entry }: VectorEntry): object {
  return { ...entry, vector: vectorToText(vector) };
}

function encodeContent(message: ChatMessage): object {
  return Array.isArray(message.content) ? { content: encodePlain(message.content) } : {};
}
