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
  /** Summaries that covered something erased. */
  summaries: number;
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
  };
}
