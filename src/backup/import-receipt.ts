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
  /** Records of the file that were left out: there already, forgotten here, or made from what was left out. */
  skipped: number;
  /** Messages that were here and that the file says were forgotten. */
  forgotten: number;
}

export function emptyReceipt(): ImportReceipt {
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
