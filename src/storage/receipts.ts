/** Number of rows that were erased, by kind. */
export interface ForgetReceipt {
  messages: number;
  turns: number;
  sessions: number;
  /** Texts of retrievers. */
  documents: number;
  vectors: number;
  /** Facts of the knowledge graph without another source. */
  facts: number;
  /** Entities that nothing else was known about. */
  entities: number;
  /**
   * Summaries that covered something erased, or contained its name. They are rebuilt without it if anything is left.
   */
  summaries: number;
  /**
   * Turns that remain and contain the forgotten words, or a name of the forgotten entity. `turns: true` also erases
   * them. Each text of a retriever, and each exchange in a list of a chat memory, counts as one.
   */
  turnsStillNaming: number;
  /**
   * Turns that remain and contain the words or the name only within a longer word, such as `Annas` or `myAnna`: to
   * erase them, forget that word. Words of fewer than four letters are not searched for in longer words. Counted like
   * `turnsStillNaming`, and each record of an integration without messages as one. Absent if there are none.
   */
  turnsNear?: number;
  /** Records of integrations, such as the files of a memory tool; absent if there were none. */
  records?: number;
  /** Messages in lists of chat memories that contained the words or the name; absent if there were none. */
  chatMessages?: number;
}

export function emptyForgetReceipt(): ForgetReceipt {
  return zeros(
    'messages turns sessions documents vectors facts entities summaries turnsStillNaming',
  ) as ForgetReceipt;
}

/** Adds up two receipts. What the first does not count is added only if there was any. */
export function addReceipts<Receipt extends Partial<ForgetReceipt>>(
  receipt: Receipt,
  more: Partial<ForgetReceipt>,
): Receipt {
  const sum: Partial<ForgetReceipt> = { ...receipt };
  for (const [name, count] of Object.entries(more)) {
    const key = name as keyof ForgetReceipt;
    if (count > 0) sum[key] = (sum[key] ?? 0) + count;
  }
  return sum as Receipt;
}

/** Number of records that an import has changed. */
export interface ImportReceipt {
  /** Records that were added; for entities also those that were extended. */
  sessions: number;
  messages: number;
  facts: number;
  entities: number;
  summaries: number;
  vectors: number;
  documents: number;
  /** Lists of chat memories. */
  chatMemories: number;
  /** Records of integrations; absent if there were none. */
  records?: number;
  /**
   * Records of the file that were not imported: already stored, forgotten here, or derived from something that was not
   * imported.
   */
  skipped: number;
  /**
   * Messages among the skipped records that were forgotten here. `restoreForgotten` imports them. Absent if there are
   * none.
   */
  stillForgotten?: number;
  /** Stored messages that were erased because the file marks them as forgotten. */
  forgotten: number;
}

export function emptyImportReceipt(): ImportReceipt {
  return zeros(
    'sessions messages facts entities summaries vectors documents chatMemories skipped forgotten',
  ) as ImportReceipt;
}

function zeros(names: string): object {
  return Object.fromEntries(names.split(' ').map((name) => [name, 0]));
}

/** Returns the receipt's field that counts records of a store. */
export function countName<Store extends string>(store: Store): Exclude<Store, 'triples'> | 'facts' {
  return store === 'triples' ? 'facts' : (store as Exclude<Store, 'triples'>);
}
