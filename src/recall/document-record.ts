import { MnemoraError } from '../model/error.ts';
import { newId } from '../model/id.ts';
import type { DocumentRecord } from '../storage/schema.ts';
import type { NewDocument } from './retriever.ts';

/** A document as it is stored, checked and copied. @throws MnemoraError `invalid-input` */
export function toRecord(
  document: NewDocument,
  owner: { collection: string; sessionId: string },
): DocumentRecord {
  if (typeof document?.text !== 'string') throw invalid('A document must have a text.');
  const { id = newId(), text, createdAt = Date.now(), metadata } = document;
  if (typeof id !== 'string' || id === '') {
    throw invalid('The id of a document must be a string that is not empty.');
  }
  if (!Number.isFinite(createdAt)) {
    throw invalid('The time of a document must be in milliseconds since 1970.');
  }
  return {
    id: keyOf(owner.collection, id),
    collection: owner.collection,
    sessionId: owner.sessionId,
    text: text.toWellFormed(),
    createdAt,
    ...(metadata ? { metadata: cloneMetadata(metadata) } : {}),
  };
}

/** The key of a document. Ids are the caller's: two collections of one store may use the same one. */
export function keyOf(collection: string, id: string): string {
  return JSON.stringify([collection, id]);
}

/** The caller's id in a key. */
export function idOf(key: string): string {
  return (JSON.parse(key) as [collection: string, id: string])[1];
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
