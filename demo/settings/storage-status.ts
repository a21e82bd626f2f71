import type { Memory } from '../../src/index.ts';
import { h } from '../page/element.ts';
import { bytes } from '../page/format.ts';

export interface StorageStatus {
  readonly element: HTMLElement;
  refresh(): Promise<void>;
}

/** How much room the memory takes, and a button that asks the browser not to evict it. */
export function storageStatus(memory: Memory, onNote: (text: string) => void): StorageStatus {
  const used = h('span', { class: 'storage-used' });
  const persist = h('button', { type: 'button', class: 'link-button' }, 'Keep it safe');
  const risk = h(
    'span',
    { class: 'storage-risk', hidden: true },
    'The browser may clear it when the disk is full. ',
    persist,
  );
  const element = h('p', { class: 'status-line' }, used, risk);

  async function refresh(): Promise<void> {
    const { usedBytes, quotaBytes, persisted } = await memory.storage();
    const room = quotaBytes === undefined ? '' : ` of ${bytes(quotaBytes)}`;
    used.textContent = `${bytes(usedBytes)}${room} used${persisted ? ', kept safe' : ''}`;
    risk.hidden = persisted !== false;
  }

  persist.addEventListener('click', () => {
    void (async () => {
      const isGranted = await memory.requestPersistence();
      onNote(
        isGranted
          ? 'The browser keeps this memory, even when the disk is full.'
          : 'The browser does not promise it yet. It may once this page is bookmarked or used often. Until then, Export in the Memory panel makes a copy.',
      );
      await refresh();
    })();
  });
  return { element, refresh };
}
