import { readdirSync, readFileSync } from 'node:fs';
import type { Engine } from '../../scripts/engines.ts';

/** A process of a browser, as Linux shows it in /proc. */
export interface BrowserProcess {
  readonly pid: number;
  readonly kind: 'page' | 'storage' | 'other';
  /** Nanoseconds of processor time used so far. */
  readonly cpuTimeNs: number;
}

/** Whether the processes of a browser can be told apart here. */
export const HAS_PROCESS_LIST: boolean = process.platform === 'linux';

/** Processes that run pages, and those that keep IndexedDB where it is not the main process. */
const KINDS: Readonly<Record<Engine, { readonly page: RegExp; readonly storage: RegExp | undefined }>> = {
  chromium: { page: /--type=renderer/, storage: /--utility-sub-type=storage/ },
  firefox: { page: /-isForBrowser/, storage: undefined },
  webkit: { page: /WebKitWebProcess/, storage: /WebKitNetworkProcess/ },
};

/** Whether IndexedDB has a process that can be killed apart from the browser. */
export function hasStorageProcess(engine: Engine): boolean {
  return KINDS[engine].storage !== undefined;
}

/** Returns the living processes of this process group. */
export function processesOf(engine: Engine, group: number): BrowserProcess[] {
  const { page, storage } = KINDS[engine];
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      const [state, , groupId] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      if (Number(groupId) !== group || state === 'Z') return [];
      const command = readFileSync(`/proc/${name}/cmdline`, 'utf8');
      const [cpuTimeNs] = readFileSync(`/proc/${name}/schedstat`, 'utf8').split(' ');
      const kind = page.test(command) ? 'page' : storage?.test(command) ? 'storage' : 'other';
      return [{ pid: Number(name), kind, cpuTimeNs: Number(cpuTimeNs) } as const];
    } catch {
      return []; // it has ended in the meantime
    }
  });
}
