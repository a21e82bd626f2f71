/**
 * Something that did not stop the work, and that the developer should know.
 *
 * - `over-budget`: the system message and the newest user message alone exceed the budget; they were kept.
 * - `save-failed`: an answer was returned but could not be stored.
 * - `ambiguous-output`: a chain returned several values; the one named in the message was stored.
 * - `model-unavailable`: embeddings could not be made; keyword search serves alone.
 * - `tokenizer-unavailable`: the real tokenizer could not be loaded; the approximate one counts.
 * - `summary-behind`: turns that no summary covers yet do not fit a request; what was stated in them stands in for them.
 * - `enrichment-failed`: a summary, entities or facts could not be made; what is stored stays, and it is tried again.
 * - `job-paused`: background work was refused by the model, and waits for another one.
 * - `job-dead`: background work has failed too often and waits to be retried by hand.
 * - `extraction-rejected`: parts of a model's reply were no facts about the messages; the rest was stored.
 * - `summary-refused`: a model's summary had a name or a number that nobody said; it was made by rules.
 * - `rerank-failed`: a function given to `search` failed, or was too late; the results are in the search's own order.
 * - `connection-lost`: the browser closed the database connection; the next call opens a new one.
 */
export type WarningCode =
  | 'over-budget'
  | 'save-failed'
  | 'ambiguous-output'
  | 'model-unavailable'
  | 'tokenizer-unavailable'
  | 'summary-behind'
  | 'enrichment-failed'
  | 'job-paused'
  | 'job-dead'
  | 'extraction-rejected'
  | 'summary-refused'
  | 'rerank-failed'
  | 'connection-lost';

/** What a component hands to `onWarning`. */
export interface Warning {
  readonly code: WarningCode;
  readonly message: string;
  readonly cause?: unknown;
}

export type WarningListener = (warning: Warning) => void;

/** Passes on the first warning of each code; later ones of the same code are dropped. One per component. */
export function warnOnce(listener: WarningListener | undefined): WarningListener {
  const told = new Set<WarningCode>();
  return (warning) => {
    if (told.has(warning.code)) return;
    told.add(warning.code);
    listener?.(warning);
  };
}
