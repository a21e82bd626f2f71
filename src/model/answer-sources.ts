import type { JsonValue } from './json.ts';

/** Something that an answer was given from, by its ids. It contains no words, which would outlive what is forgotten. */
export interface AnswerSourceIds {
  readonly kind: 'pinned' | 'profile' | 'fact' | 'recalled';
  /** Ids of the messages that were quoted or from which it was learned. */
  readonly messageIds: readonly string[];
  readonly sessionId: string;
  /** Id of the turn; empty for facts. */
  readonly turnId: string;
  readonly factId?: string;
  /** When it was said, or from when the fact holds, in milliseconds since 1970. */
  readonly createdAt: number;
}

/** The fields of a piece of a context that say where it is from; see `ContextItem`. */
interface UsedItem {
  readonly kind: AnswerSourceIds['kind'] | 'recent' | 'summary';
  readonly sources: readonly string[];
  readonly sessionId: string;
  readonly turnId: string;
  readonly factId?: string;
  readonly createdAt: number;
}

/** The part of a store of records that keeps what an answer was given from. */
interface SourceRecords {
  put(
    key: string,
    value: JsonValue,
    options: { sessionId: string; messageIds: readonly string[] },
  ): Promise<unknown>;
}

/** Namespace of the records with the sources of answers, by the id of the answer. */
export const SOURCES_NAMESPACE = 'mnemora/sources';

/** Returns by ids what a context quotes, without the turns and the summary of the conversation itself. */
export function sourceIdsOf({ items }: { readonly items: readonly UsedItem[] }): AnswerSourceIds[] {
  return items.flatMap(({ kind, sources, sessionId, turnId, factId, createdAt }) =>
    isUsed(kind)
      ? [
          {
            ...{ kind, messageIds: sources, sessionId, turnId, createdAt },
            ...(factId === undefined ? {} : { factId }),
          },
        ]
      : [],
  );
}

function isUsed(kind: UsedItem['kind']): kind is AnswerSourceIds['kind'] {
  return kind !== 'recent' && kind !== 'summary';
}

/** Stores what an answer was given from. */
export async function keepSources(
  records: SourceRecords,
  answerId: string,
  sources: readonly AnswerSourceIds[],
  { sessionId, messageIds }: { readonly sessionId: string; readonly messageIds: readonly string[] },
): Promise<void> {
  if (sources.length === 0) return;
  await records.put(answerId, sources as unknown as JsonValue, { sessionId, messageIds });
}
