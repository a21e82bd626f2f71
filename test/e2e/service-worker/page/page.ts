import { createMemory } from '../../../../src/index.ts';

/** What a memory in a service worker does with one turn. */
export interface ServiceWorkerResult {
  readonly warnings: readonly string[];
  readonly recalled: string;
  readonly found: number;
  readonly facts: readonly string[];
  readonly exportedBytes: number;
}

interface ExtendableMessageEvent extends Event {
  readonly source: { postMessage(result: ServiceWorkerResult): void };
  waitUntil(work: Promise<unknown>): void;
}

/** The part of a service worker's global scope that is used here. The DOM types describe only pages. */
interface ServiceWorkerScope {
  addEventListener(type: 'message', listener: (event: ExtendableMessageEvent) => void): void;
}

const worker: ServiceWorkerScope = globalThis as unknown as ServiceWorkerScope;

worker.addEventListener('message', (event) => {
  event.waitUntil(useMemory().then((result) => event.source.postMessage(result)));
});

async function useMemory(): Promise<ServiceWorkerResult> {
  const warnings: string[] = [];
  const memory = await createMemory({
    learning: { delayMs: 0 },
    onWarning: ({ code }) => void warnings.push(code),
  });
  await memory.remember({ user: 'My dog is called Max.', assistant: 'Nice.' });
  await memory.work.settled();
  const { messages } = await memory.recall('What is the name of my dog?');
  const result = {
    warnings: [...new Set(warnings)],
    recalled: JSON.stringify(messages),
    found: (await memory.search('dog')).length,
    facts: (await memory.facts.list()).map(
      ({ subject, predicate, object }) => `${subject} ${predicate} ${object}`,
    ),
    exportedBytes: (await memory.backup.export()).size,
  };
  await memory.close();
  return result;
}
