export interface RecallOptions {
  /** The host page's system text. @default none */
  system?: string;
  /** Tokens of the whole request. @default that of `createMemory` */
  maxTokens?: number;
  /** @default the session of this memory */
  sessionId?: string;
  /** Lays out what was known at this time, in milliseconds since 1970. @default all that is known */
  knownAt?: number;
  /**
   * The turn that the answer will end. What is recalled for it then stands between marks that no other turn has.
   * @default none: the same question has the same marks
   */
  turnId?: string;
  /**
   * How sure it must be that memory has something to say to the input before facts and old turns are sent, from 0 (they
   * always are) to 1; where it is unsure, a few are.
   * @default 0.5
   */
  minRelevance?: number;
  signal?: AbortSignal;
}

export const RECALL_OPTIONS: readonly (keyof RecallOptions)[] = [
  'system',
  'maxTokens',
  'sessionId',
  'knownAt',
  'turnId',
  'minRelevance',
  'signal',
];
