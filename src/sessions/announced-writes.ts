import type { StorageEngine } from '../storage/storage-engine.ts';
import { openTabChannel, type TabChannel } from '../tabs/tab-channel.ts';

/**
 * Returns the engine for what is written without a memory: the memories of the database are notified, in this tab and
 * in others. A memory notifies them of its own writes itself.
 */
export function announcedWrites(engine: StorageEngine): StorageEngine {
  let channel: TabChannel | undefined;
  const write: StorageEngine['write'] = async (stores, body, signal) => {
    const result = await engine.write(stores, body, signal);
    if (stores.includes('changes') && !engine.closed.aborted) {
      if (!channel) {
        channel = openTabChannel(engine.name, () => undefined);
        engine.closed.addEventListener('abort', channel.close);
      }
      channel.announce();
    }
    return result;
  };
  return new Proxy(engine, { get: (target, name) => (name === 'write' ? write : Reflect.get(target, name)) });
}
