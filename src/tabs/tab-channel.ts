import { inBackground, nextTimerTask } from '../model/event-loop.ts';

/** Notifies the other tabs of this origin of a write. Only a hint: correctness does not depend on its arrival. */
export interface TabChannel {
  announce(): void;
  close(): void;
}

/**
 * Opens the channel of one database; without BroadcastChannel it does nothing. Messages that arrive while the tab is
 * frozen are delivered once, when it is resumed.
 */
export function openTabChannel(databaseName: string, onAnnounced: () => void): TabChannel {
  if (typeof BroadcastChannel === 'undefined') return { announce: () => undefined, close: () => undefined };
  const channel = inBackground(new BroadcastChannel(`mnemora:${databaseName}`));
  let isClosed = false;
  let isHeard = true;
  channel.onmessage = async () => {
    if (!isHeard) return;
    isHeard = false;
    await nextTimerTask();
    isHeard = true;
    if (!isClosed) onAnnounced();
  };
  return {
    announce: () => {
      // A write may end after the memory was closed; it is stored all the same.
      if (!isClosed) channel.postMessage('written');
    },
    close: () => {
      isClosed = true;
      channel.close();
    },
  };
}
