import type { LoadProgress } from '../embedding/embedder.ts';
import type { JobEventType } from '../jobs/job-handler.ts';
import { checkFunction, oneOf } from '../model/check-options.ts';
import type { MnemoraError } from '../model/error.ts';
import type { Warning, WarningListener } from '../model/warning.ts';
import type { RecallEvent } from '../recall/layout/context-item.ts';
import { isPaused } from '../storage/jobs/job-plan.ts';
import type { JobRecord } from '../storage/schema.ts';

/** Type of `detail` for each event of a memory. */
export interface MemoryEventMap {
  /**
   * Data was written or forgotten, or background work has ended, paused or failed: `local` through this memory,
   * `remote` through another one of the same database, or through the database itself, such as its histories and the
   * records of integrations, in this tab or another.
   */
  change: { source: 'local' | 'remote' };
  /** A part of the embedding model has been loaded. */
  progress: LoadProgress;
  warning: Warning;
  /** `recall` has returned a context in this tab. */
  recall: RecallEvent;
  /**
   * A background job has started, ended or failed in this tab, or is due again; `job.notBefore` is the time of its next
   * attempt.
   */
  job: MemoryJobEvent;
  /** A background job was given up. It can be retried with `work.retry`. */
  error: { error: MnemoraError; job: MemoryJob };
}

/** A background job. Times are in milliseconds since 1970. */
export interface MemoryJob {
  id: number;
  kind: 'learn' | 'summarize' | 'rebuild' | 'other';
  /**
   * `waiting`: waits for more turns, for its next attempt, or for other jobs. `paused`: the model refused it, for
   * example because of a wrong key or model name; it is retried with another model, when the page is reopened, or by
   * `work.retry`. `dead`: it was given up, and can be retried with `work.retry`.
   */
  state: 'waiting' | 'running' | 'paused' | 'dead';
  sessionId: string;
  /** Empty if the job concerns the session as a whole. */
  turnIds: readonly string[];
  attempts: number;
  createdAt: number;
  /** Earliest start, in milliseconds since 1970. */
  notBefore: number;
  /** Error of the last attempt; `kind` decides whether the job is retried. */
  error?: { code: string; message: string; kind?: 'network' | 'passing' | 'refused' | 'lasting' };
}

export interface MemoryJobEvent {
  type: JobEventType;
  job: MemoryJob;
}

/** Kinds that the names of queues begin with. Jobs of all other queues are of the kind `other`. */
const KINDS = ['learn', 'summarize', 'rebuild'] as const;

export function toMemoryJob(job: JobRecord, isRunning: boolean): MemoryJob {
  const { id, sessionId, turnIds, attempts, createdAt, notBefore, error } = job;
  const kind: MemoryJob['kind'] = KINDS.find((each) => job.queue.startsWith(`${each}/`)) ?? 'other';
  const about = { id, kind, state: isRunning ? 'running' : stateOf(job), sessionId, turnIds };
  return { ...about, attempts, createdAt, notBefore, ...(error ? { error } : {}) };
}

function stateOf(job: JobRecord): MemoryJob['state'] {
  if (job.isDead) return 'dead';
  return isPaused(job) ? 'paused' : 'waiting';
}

export type MemoryEventListener<Type extends keyof MemoryEventMap> = (
  event: CustomEvent<MemoryEventMap[Type]>,
) => void;

const TYPES: readonly (keyof MemoryEventMap)[] = ['change', 'progress', 'warning', 'recall', 'job', 'error'];

/** An `EventTarget` with typed events. */
export class MemoryEvents {
  readonly #target = new EventTarget();
  #isClosed = false;

  /**
   * If a listener throws, the browser reports the error, as for any `EventTarget`, and other listeners are called all
   * the same.
   */
  constructor(onWarning: WarningListener | undefined) {
    if (onWarning) this.add('warning', (event) => onWarning(event.detail));
  }

  /** @throws MnemoraError `invalid-option` if there is no such event or the listener is not a function */
  add<Type extends keyof MemoryEventMap>(type: Type, listener: MemoryEventListener<Type>): void {
    oneOf(...TYPES)('The type of an event', type);
    checkFunction('The listener', listener);
    this.#target.addEventListener(type, listener as EventListener);
  }

  remove<Type extends keyof MemoryEventMap>(type: Type, listener: MemoryEventListener<Type>): void {
    this.#target.removeEventListener(type, listener as EventListener);
  }

  emit<Type extends keyof MemoryEventMap>(type: Type, detail: MemoryEventMap[Type]): void {
    if (!this.#isClosed) this.#dispatch(type, detail);
  }

  /** Raises the `warning` event. Bound, so that it can be passed on as a listener. */
  readonly warn: WarningListener = (warning) => this.emit('warning', warning);

  /** Raises the `warning` event, of a closed memory, too: the page has called something that needed it. */
  readonly warnCaller: WarningListener = (warning) => this.#dispatch('warning', warning);

  /** Call it when the memory is closed: what was under way then raises no event any more. */
  close(): void {
    this.#isClosed = true;
  }

  #dispatch<Type extends keyof MemoryEventMap>(type: Type, detail: MemoryEventMap[Type]): void {
    this.#target.dispatchEvent(new CustomEvent(type, { detail }));
  }
}
