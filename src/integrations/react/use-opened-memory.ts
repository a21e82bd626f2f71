import { useEffect, useMemo, useRef, useState } from 'react';
import type { CreateMemoryOptions, Memory } from '../../index.ts';
import { isId } from '../../model/id.ts';
import { asError } from '../../model/live/memory-read.ts';
import type { ProvidedMemory } from './memory-context.ts';

/** The result of opening a memory. */
interface Opened {
  readonly place: string;
  readonly database: CreateMemoryOptions['database'];
  readonly result: Memory | Error;
}

/**
 * Opens a memory when the component is mounted and closes it when it is unmounted; does both when the options select
 * another database or scope. Another `sessionId` shows the same memory from that session. Opens nothing without
 * options.
 */
export function useOpenedMemory(options: CreateMemoryOptions | undefined): ProvidedMemory {
  const [opened, setOpened] = useState<Opened>();
  const latest = useRef(options);
  useEffect(() => {
    latest.current = options;
  });
  const place = options && placeOf(options);
  const database = options?.database;

  useEffect(() => {
    if (place === undefined) return undefined;
    let isMounted = true;
    const show = (result: Memory | Error): void => {
      if (isMounted) setOpened({ place, database, result });
    };
    // A microtask later, because StrictMode unmounts in the same task what it mounts twice.
    const opening = Promise.resolve().then(() => (isMounted ? openMemory(latest.current) : undefined));
    opening.then(
      (memory) => memory && show(memory),
      (thrown: unknown) => show(asError(thrown)),
    );
    return () => {
      isMounted = false;
      setOpened(undefined);
      // No component is left to report a failed close to.
      opening.then((memory) => memory?.close()).catch(() => undefined);
    };
  }, [place, database]);

  // The previous memory is never rendered, even before the effect has closed it.
  const isCurrent = opened?.place === place && opened?.database === database;
  const result = isCurrent ? opened?.result : undefined;
  const sessionId = options?.sessionId;
  return useMemo(() => seenFrom(sessionId, result), [sessionId, result]);
}

/** Returns the memory as seen from a session, by default from the one with which it was opened. */
function seenFrom(sessionId: string | undefined, result: Memory | Error | undefined): ProvidedMemory {
  if (result === undefined) return { state: { status: 'opening' } };
  if (result instanceof Error) return { state: { status: 'failed', error: result } };
  if (sessionId === undefined || sessionId === result.sessionId)
    return { state: { status: 'ready', memory: result }, opened: result };
  try {
    return { state: { status: 'ready', memory: result.session(sessionId) }, opened: result };
  } catch (thrown) {
    return { state: { status: 'failed', error: asError(thrown) } };
  }
}

/**
 * Opens the memory. An id of a session that is not valid, as before a router knows it, concerns what is shown and not
 * the memory. Imported here, so that the first paint does not wait for the code that opens a memory.
 */
async function openMemory({ sessionId, ...options }: CreateMemoryOptions = {}): Promise<Memory> {
  const { createMemory } = await import('../../index.ts');
  return createMemory(isId(sessionId) ? { ...options, sessionId } : options);
}

function placeOf({ name, scope, storage }: CreateMemoryOptions): string {
  return JSON.stringify([name, scope, storage]);
}
