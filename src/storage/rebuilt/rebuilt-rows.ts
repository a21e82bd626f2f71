import { between } from '../key-range.ts';
import type { PackedKnowledge, Schema } from '../schema.ts';

/**
 * Kinds of rows that a rebuild keeps: its state, the turns read so far, what was learned from them, and the messages that
 * it was learned from.
 */
export type RebuiltKind = 'state' | 'turn' | 'facts' | 'entities' | 'claims' | 'message';

type Key = Schema['packedKnowledge']['key'];

/** Begins the keys of rebuilds. No scope does: its name would begin with a control character. */
const PREFIX = '\u0000rebuilt\u0000';

export function rebuiltKey(scope: string, kind: RebuiltKind, id = ''): Key {
  return `${PREFIX}${scope}\u0000${kind}\u0000${id}`;
}

/** Returns the range of the rows that the rebuild of a scope keeps: all, or those of one kind. */
export function rebuiltRange(scope: string, kind?: RebuiltKind): IDBKeyRange {
  const begin = kind === undefined ? `${PREFIX}${scope}\u0000` : rebuiltKey(scope, kind);
  return between(begin, `${begin}\uffff`);
}

/** Returns a row of a rebuild. It is stored as JSON, so that no index of the rows in use finds it. */
export function rebuiltRow(key: Key, value: object | null): PackedKnowledge {
  const cursor = { generation: '', revision: 0 };
  return { scope: key, cursor, parts: [{ rows: JSON.stringify(value), index: null }] };
}

export function rebuiltValue(row: PackedKnowledge | undefined): unknown {
  const [part] = row?.parts ?? [];
  return part && (JSON.parse(part.rows) as unknown);
}
