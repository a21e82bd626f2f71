import { throwUncaught } from './event-loop.ts';

/**
 * Kind of a problem that did not stop the work and that the developer should know about.
 *
 * - `over-budget`: the system message and the newest user message alone exceed the budget; they were kept.
 * - `pinned-left-out`: pinned facts do not fit a request; the message says how many.
 * - `best-match-left-out`: what fits a question best does not fit its request, not even by its best passage.
 * - `save-failed`: an answer was returned but could not be stored.
 * - `ambiguous-output`: a chain returned several values; the one named in the message was stored.
 * - `model-unavailable`: embeddings could not be made; only keyword search is used.
 * - `tokenizer-unavailable`: the real tokenizer could not be loaded; tokens are counted approximately.
 * - `summary-behind`: turns that no summary covers yet do not fit a request; the user's statements from them are sent
 *   instead.
 * - `learning-failed`: a summary, entities or facts could not be made; stored data is unchanged, and the work is
 *   retried.
 * - `job-paused`: the model refused background work, which waits for another model.
 * - `job-dead`: background work failed too often and waits for `work.retry`.
 * - `work-stalled`: background work has stored nothing for minutes, and is no longer waited for; it continues if it can.
 * - `extraction-rejected`: parts of a model's reply were not facts about the messages; the rest was stored.
 * - `summary-refused`: sentences of a model's summary that the conversation does not support were left out; its own words
 *   stand in their place.
 * - `memory-skipped`: an integration sent a question without memory, because recall failed or was too slow.
 * - `remote-model`: a model of the AI SDK was given by name, so requests leave the browser for the SDK's default provider.
 * - `rerank-failed`: a `rerank` function given to `search`, `recall` or `explain` failed or took too long; the results keep
 *   the order of the search.
 * - `connection-lost`: the browser closed the database connection; the next call opens a new one, or rejects with
 *   `storage-unavailable` if the page must be reloaded.
 * - `data-lost`: the database is gone, or is in an earlier state; `device.lastLoss()` returns details.
 * - `backup-failed`: an automatic backup could not be made or written; it is retried.
 */
export type WarningCode =
  | 'over-budget'
  | 'pinned-left-out'
  | 'best-match-left-out'
  | 'save-failed'
  | 'ambiguous-output'
  | 'model-unavailable'
  | 'tokenizer-unavailable'
  | 'summary-behind'
  | 'learning-failed'
  | 'job-paused'
  | 'job-dead'
  | 'work-stalled'
  | 'extraction-rejected'
  | 'summary-refused'
  | 'memory-skipped'
  | 'remote-model'
  | 'rerank-failed'
  | 'connection-lost'
  | 'data-lost'
  | 'backup-failed';

/** A warning, as passed to `onWarning`. */
export interface Warning {
  readonly code: WarningCode;
  readonly message: string;
  readonly cause?: unknown;
}

export type WarningListener = (warning: Warning) => void;

/**
 * Returns a listener that passes each warning on. An error of the given listener is reported as uncaught and not thrown:
 * it must not fail the work that raises the warning, such as the return of an answer that could not be stored.
 */
export function warningListener(listener: WarningListener | undefined): WarningListener {
  return (warning) => {
    try {
      listener?.(warning);
    } catch (error) {
      throwUncaught(error);
    }
  };
}

/**
 * Returns a {@link warningListener} that passes on the first warning of each code and drops later ones. Use one for each
 * component.
 */
export function warnOnce(listener: WarningListener | undefined): WarningListener {
  const told = new Set<WarningCode>();
  const warn = warningListener(listener);
  return (warning) => {
    if (told.has(warning.code)) return;
    told.add(warning.code);
    warn(warning);
  };
}
