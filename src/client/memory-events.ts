import type { LoadProgress } from '../embedding/embedder.ts';
import type { Warning, WarningListener } from '../model/warning.ts';

/** What each event of a memory carries in `detail`. */
export interface MemoryEventMap {
  /** Something was written or forgotten, in this tab or in another. */
  change: { source: 'local' | 'remote' };
  /** A piece of the embedding model has arrived. */
  progress: LoadProgress;
  warning: Warning;
}

export type MemoryEventListener<Type extends keyof MemoryEventMap> = (
  event: CustomEvent<MemoryEventMap[Type]>,
) => void;

/** An `EventTarget` that knows its events. */
export class MemoryEvents {
  readonly #target = new EventTarget();

  /** A listener that throws is reported by the browser, as any of an `EventTarget` is, and disturbs nobody. */
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

  warn(warning: Warning): void {
    this.emit('warning', warning);
  }
}
