import { behindProxy, targetOf } from './proxy-target.ts';
import type { Warning, WarningListener } from './warning.ts';

const listeners = new WeakMap<object, WarningListener>();

/** Sets the function that raises the `warning` event of a memory. */
export function setWarningListener(memory: object, listener: WarningListener): void {
  listeners.set(behindProxy(memory), listener);
}

/** Raises the `warning` event of a memory that `createMemory` made. A caller's own implementation has no such event. */
export function raiseWarning(memory: object, warning: Warning): void {
  listeners.get(targetOf(memory))?.(warning);
}
