import { inBackground, nextTimerTask } from '../model/event-loop.ts';

/** Notifies the other tabs of this origin of a write. Only a hint: correctness does not depend on its arrival. */
export interface TabChannel {
  announce(): void;
  close(): void;
}

/** Opens a channel between tabs, or returns undefined where there is none, or the browser refuses it. */
export function openChannel(name: string): BroadcastChannel | undefined {
  try {
    return inBackground(new BroadcastChannel(name));
  } catch {
    return undefined; // Firefox throws a SecurityError where the user has blocked the site's storage
  }
}

/**
 * Opens the channel of one database; where there are no channels it does nothing. Messages that arrive while the tab is
 * frozen are delivered once, when it is resumed.
 */
export function openTabChannel(databaseName: string, onAnnounced: () => void): TabChannel {
  const channel = openChannel(`mnemora:${databaseName}`);
  let isClosed = false;
  let isHeard = true;
  const onMessage = async (): Promise<void> => {
    if (!isHeard) return;
    isHeard = false;
    await nextTimerTask();
    isHeard = true;
    if (!isClosed) onAnnounced();
  };
  if (channel) channel.onmessage = onMessage;
  return {
    announce: () => {
      // A write may end after the memory was closed; it is stored anyway.
      if (!isClosed) channel?.postMessage('written');
    },
    close: () => {
      isClosed = true;
      channel?.close();
    },
  };
}
