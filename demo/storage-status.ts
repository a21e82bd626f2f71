import { h } from './element.ts';
import { bytes } from './format.ts';
import type { ChatMemory } from '../src/index.ts';

export interface StorageStatus {
  readonly element: HTMLElement;
  refresh(): Promise<void>;
}

/** How much room the memory takes, and a button that asks the browser not to evict it. */
export function storageStatus(memory: ChatMemory, onNote: (text: string) => void): StorageStatus {
  const used = h('span', { class: 'storage-used' });
  const persist = h('button', { type: 'button', class: 'link-button', hidden: true }, 'Keep it safe');
  persist.title = 'Ask the browser not to clear this memory when the disk runs low';
  const element = h('p', { class: 'status-line' }, used, persist);

  async function refresh(): Promise<void> {
    const { usedBytes, quotaBytes, persisted } = await memory.storage();
    const room = quotaBytes === undefined ? '' : ` of ${bytes(quotaBytes)}`;
    used.textContent = `${bytes(usedBytes)}${room} used${persisted ? ', kept safe' : ''}`;
    persist.hidden = persisted !== false;
  }

  persist.addEventListener('click', () => {
    void (async () => {
      const isGranted = await memory.requestPersistence();
      onNote(
        isGranted
          ? 'The browser keeps this memory even when the disk runs low.'
          : 'The browser did not agree. It may once you have used this page for a while or added a bookmark.',
      );
      await refresh();
    })();
  });
  return { element, refresh };
}
