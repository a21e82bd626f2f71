import type { BackupStore } from './codec/backup-rows.ts';

/** What was erased. */
export interface ForgetReceipt {
  messages: number;
  turns: number;
  sessions: number;
  /** Texts of retrievers. */
  documents: number;
  vectors: number;
  /** Facts of the knowledge graph that had no other source. */
  facts: number;
  /** Entities that were known from nothing else. */
  entities: number;
  /** Summaries that covered something erased, or named it; those that can be are made again without it. */
  summaries: number;
  /** Turns that stay and hold a name of the entity that was forgotten: `turns: true` erases them, too. */
  turnsStillNaming: number;
  /** Rows of integrations; absent where there were none. */
  records?: number;
}

export type ReceiptCounts = ForgetReceipt;

export function emptyForgetReceipt(): ForgetReceipt {
  return {
    messages: 0,
    turns: 0,
    sessions: 0,
    documents: 0,
    vectors: 0,
    facts: 0,
    entities: 0,
    summaries: 0,
    turnsStillNaming: 0,
  };
}

/** The sums of both. */
export function addReceipts(receipt: ForgetReceipt, more: Partial<ForgetReceipt>): ForgetReceipt {
  const sum = { ...receipt };
  for (const [name, count] of Object.entries(more)) {
    const key = name as keyof ForgetReceipt;
    sum[key] = (sum[key] ?? 0) + count;
  }
  return sum;
}

/** What an import has changed. */
export interface ImportReceipt {
  /** Records that were not there and are now; of entities also those of which more is known now. */
  sessions: number;
  messages: number;
  facts: number;
  entities: number;
  summaries: number;
  vectors: number;
  documents: number;
  /** Lists of chat memories. */
  chatMemories: number;
  /** Rows of integrations; absent where there were none. */
  records?: number;
  /** Records of the file that were left out: there already, forgotten here, or made from what was left out. */
  skipped: number;
  /** Messages among these that were forgotten here: `restoreForgotten` brings them back. Absent where there are none. */
  stillForgotten?: number;
  /** Messages that were here and that the file says were forgotten. */
  forgotten: number;
}

export function emptyImportReceipt(): ImportReceipt {
  return {
    sessions: 0,
    messages: 0,
    facts: 0,
    entities: 0,
    summaries: 0,
    vectors: 0,
    documents: 0,
    chatMemories: 0,
    skipped: 0,
    forgotten: 0,
  };
}

/** The stores that an import counts in its receipt, record by record. */
export type CountedStore = Exclude<BackupStore, 'tombstones' | 'sessions' | 'messages' | 'jobs'>;

/** The name under which records of a store are counted. */
export function countName(store: CountedStore): Exclude<keyof ImportReceipt, 'skipped' | 'forgotten'> {
  return store === 'triples' ? 'facts' : store;
}
