/**
 * The thread that a history belongs to: its id, or a function that returns its item in the runtime's list of threads,
 * which gives a new thread its id when its first message is stored.
 */
export type HistoryThread =
  | string
  | (() => {
      getState(): { readonly remoteId?: string | undefined };
      initialize(): Promise<{ readonly remoteId: string }>;
    });
