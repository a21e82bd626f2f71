/** What was told of an event, as one sentence. Times are in milliseconds since 1970. */
export interface ToldEvent {
  readonly sentence: string;
  readonly saidAt: number;
  /** Of a fact about the user, or about whom the event is named for: since when it has held. */
  readonly validFrom?: number;
}
