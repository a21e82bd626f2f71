import { checkSignal, type SignalOption } from '../model/call-options.ts';
import { argument, checkOptions, mustBe, wholeNumber, type OptionChecks } from '../model/check-options.ts';
import { isId } from '../model/id.ts';
import { isRecord } from '../model/is-record.ts';
import { listSessions } from '../storage/transcript/list-sessions.ts';
import type { SessionRecord } from '../storage/schema.ts';
import type { StorageEngine } from '../storage/storage-engine.ts';
import type { SessionInfo } from './memory-database.ts';

export interface ListSessionsOptions extends SignalOption {
  /** Largest number of sessions to return. @default all */
  limit?: number;
  /**
   * Returns only sessions after this one. For the next page, pass the last session of the page before.
   *
   * @default all
   */
  after?: Pick<SessionInfo, 'id' | 'updatedAt'>;
}

const CHECKS: OptionChecks<ListSessionsOptions> = {
  limit: argument(wholeNumber(0)),
  after: argument(
    mustBe(
      'a session with its id and updatedAt',
      (value) => isRecord(value) && isId(value['id']) && Number.isFinite(value['updatedAt']),
    ),
  ),
  signal: checkSignal('sessions'),
};

/** Lists the sessions of a scope that have messages, newest first. @throws MnemoraError `invalid-option`, `invalid-input` */
export async function sessionsOf(
  engine: StorageEngine,
  scope: string,
  options: ListSessionsOptions,
): Promise<SessionRecord[]> {
  const { signal, ...page } = checkOptions('sessions', options, CHECKS);
  signal?.throwIfAborted();
  return listSessions(engine, scope, page, signal);
}
