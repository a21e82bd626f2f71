import { sha256 } from '../model/sha256.ts';
import type { DocumentRecord } from './schema.ts';

/** Returns the tombstone of a retriever's text. It is hashed, because a page chooses the id, which can contain words. */
export function documentTombstone({ collection, id }: Pick<DocumentRecord, 'collection' | 'id'>): string {
  return sha256(JSON.stringify([collection, id]));
}
