import { inBackground } from '../model/in-background.ts';
import { nextTimerTask } from './next-timer-task.ts';

/** Tells the other tabs of this origin that something was written. Nothing rests on its arriving. */
export interface TabChannel {
  announce(): void;
  close(): void;
}

/**
 * Opens the channel of one database; where the browser has no BroadcastChannel, nothing is heard and nothing said. What
 * arrives while the tab is frozen is heard once, when it thaws.
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
