import { requireTime } from '../model/clock.ts';
import { MnemoraError } from '../model/error.ts';
import { newOrderedId } from '../model/id.ts';
import type { DocumentRecord } from '../storage/schema.ts';
import type { NewDocument } from './retriever.ts';

/** Returns a checked copy of a document, as it is stored. @throws MnemoraError `invalid-input` if it is invalid */
export function toRecord(
  document: NewDocument,
  owner: { collection: string; sessionId: string },
): DocumentRecord {
  if (typeof document?.text !== 'string') throw invalid('A document must have a text.');
  const { id = newOrderedId(), text, createdAt = Date.now(), metadata } = document;
  if (typeof id !== 'string' || id === '') {
    throw invalid('The id of a document must be a string that is not empty.');
  }
  requireTime(createdAt, 'The time of a document');
  return {
    id,
    collection: owner.collection,
    sessionId: owner.sessionId,
    text: text.toWellFormed(),
    createdAt,
    ...(metadata ? { metadata: cloneMetadata(metadata) } : {}),
  };
}

function cloneMetadata(metadata: Readonly<Record<string, unknown>>): Record<string, unknown> {
  if (typeof metadata !== 'object') throw invalid('The metadata of a document must be an object.');
  try {
    return structuredClone(metadata);
  } catch (cause) {
    throw new MnemoraError('invalid-input', 'The metadata of a document must be plain data.', { cause });
  }
}

function invalid(message: string): MnemoraError {
  return new MnemoraError('invalid-input', message);
}
