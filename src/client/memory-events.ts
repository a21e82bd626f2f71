import type { LoadProgress } from '../embedding/embedder.ts';
import type { JobEventType } from '../jobs/job-handler.ts';
import type { MnemoraError } from '../model/error.ts';
import type { Warning, WarningListener } from '../model/warning.ts';
import { isPaused } from '../storage/jobs/job-plan.ts';
import type { FailureKind, JobRecord } from '../storage/schema.ts';

/** What each event of a memory carries in `detail`. */
export interface MemoryEventMap {
  /** Something was written or forgotten, in this tab or in another. */
  change: { source: 'local' | 'remote' };
  /** A piece of the embedding model has arrived. */
  progress: LoadProgress;
  warning: Warning;
  /** Background work has begun, ended or failed in this tab, or is due again. `job.notBefore` is its next attempt. */
  job: MemoryJobEvent;
  /** Background work was given up, and waits for `retryJob`. */
  error: { error: MnemoraError; job: MemoryJob };
}

/** Work in the background. Times are in milliseconds since 1970. */
export interface MemoryJob {
  id: number;
  kind: 'learn' | 'summarize' | 'rebuild' | 'other';
  /**
   * `waiting`: for more turns, for another attempt, or for its turn. `paused`: the model refused it (a wrong key, or no
   * such model), and it is tried again with another model, when the page is opened again, or by `retryJob`. `dead`: it
   * was given up, and waits for `retryJob`.
   */
  state: 'waiting' | 'running' | 'paused' | 'dead';
  sessionId: string;
  /** Empty where it is about the session as a whole. */
  turnIds: readonly string[];
  attempts: number;
  createdAt: number;
  /** Not to be started earlier. */
  notBefore: number;
  /** Of the last attempt. `kind` says what becomes of it. */
  error?: { code: string; message: string; kind?: FailureKind };
}

export interface MemoryJobEvent {
  type: JobEventType;
  job: MemoryJob;
}

/** By the first part of a queue's name, as it is stored. */
const KINDS: Readonly<Record<string, MemoryJob['kind']>> = {
  learn: 'learn',
  summarise: 'summarize',
  rebuild: 'rebuild',
};

export function toMemoryJob(job: JobRecord): MemoryJob {
  const { id, sessionId, turnIds, attempts, createdAt, notBefore, error } = job;
  const kind = KINDS[job.queue.split('/')[0] ?? ''] ?? 'other';
  const about = { id, kind, state: stateOf(job), sessionId, turnIds };
  return { ...about, attempts, createdAt, notBefore, ...(error ? { error } : {}) };
}

function stateOf(job: JobRecord): MemoryJob['state'] {
  if (job.isDead) return 'dead';
  if (job.lease !== undefined) return 'running';
  return isPaused(job) ? 'paused' : 'waiting';
}

export type MemoryEventListener<Type extends keyof MemoryEventMap> = (
  event: CustomEvent<MemoryEventMap[Type]>,
) => void;

/** An `EventTarget` with typed events. */
export class MemoryEvents {
  readonly #target = new EventTarget();

  /** A listener that throws is reported by the browser, like any of an `EventTarget`, and affects no other. */
  constructor(onWarning: WarningListener | undefined) {
    if (onWarning) this.add('warning', (event) => onWarning(event.detail));
  }

  add<Type extends keyof MemoryEventMap>(type: Type, listener: MemoryEventListener<Type>): void {
    this.#target.addEventListener(type, listener as EventListener);
  }

  remove<Type extends keyof MemoryEventMap>(type: Type, listener: MemoryEventListener<Type>): void {
    this.#target.removeEventListener(type, listener as EventListener);
  }

  emit<Type extends keyof MemoryEventMap>(type: Type, detail: MemoryEventMap[Type]): void {
    this.#target.dispatchEvent(new CustomEvent(type, { detail }));
  }

  /** Raises the `warning` event. Bound, so that it can be passed on as a listener. */
  readonly warn: WarningListener = (warning) => this.emit('warning', warning);
}
