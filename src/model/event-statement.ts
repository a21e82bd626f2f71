/** What a message says about an event, as one sentence. Times are in milliseconds since 1970. */
export interface EventStatement {
  readonly sentence: string;
  readonly saidAt: number;
  /**
   * Time from which the fact holds. Set if the fact is about the user, or about the person that the event is named
   * after.
   */
  readonly validFrom?: number;
}
