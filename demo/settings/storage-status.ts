import type { Memory } from '../../src/index.ts';
import { h } from '../page/element.ts';
import { bytes } from '../page/format.ts';

export interface StorageStatus {
  readonly element: HTMLElement;
  refresh(): Promise<void>;
}

/** Shows how much storage the memory uses, with a button that asks the browser not to evict it. */
export function storageStatus(memory: Memory, onNote: (text: string) => void): StorageStatus {
  const used = h('span', { class: 'storage-used' });
  const persist = h('button', { type: 'button', class: 'link-button' }, 'Ask it not to');
  const risk = h(
    'span',
    { class: 'storage-risk', hidden: true },
    'The browser may clear it when the disk is full. ',
    persist,
  );
  const element = h('p', { class: 'status-line' }, used, risk);

  async function refresh(): Promise<void> {
    const { usedBytes, quotaBytes, persisted } = await memory.device.usage();
    const room = quotaBytes === undefined ? '' : ` of ${bytes(quotaBytes)}`;
    used.textContent = `${bytes(usedBytes)}${room} used${persisted ? ', persistent' : ''}`;
    risk.hidden = persisted !== false;
  }

  persist.addEventListener('click', () => {
    void (async () => {
      const isGranted = await memory.device.persist();
      onNote(
        isGranted
          ? 'The browser will keep this memory, even when the disk is full.'
          : 'The browser has not agreed. It may agree once this page is bookmarked or used often. Until then, save a copy with Export in the Memory panel.',
      );
      await refresh();
    })();
  });
  return { element, refresh };
}
