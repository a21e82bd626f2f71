import { setTimeout as delay } from 'node:timers/promises';
import type { Engine } from '../../../scripts/engines.ts';
import { hasStorageProcess, processesOf } from '../../engines/browser-processes.ts';
import { type LaunchedEngine, launchEngine } from '../../engines/launch-engine.ts';
import type { PuppetServer } from '../../engines/puppet-server.ts';

/** What is killed: the process of a page, all processes of the browser, or the process that keeps IndexedDB. */
export type Victim = 'page' | 'browser' | 'storage';

/** Far longer than a page takes to appear, also on a machine that does other work. */
const EMPTY_MS = 60_000;

export function victimsOf(engine: Engine): readonly Victim[] {
  return hasStorageProcess(engine) ? ['page', 'browser', 'storage'] : ['page', 'browser'];
}

/** A browser whose tabs write, and whose processes are killed. It is started again with what it has stored. */
export class WritingBrowser {
  readonly #engine: Engine;
  readonly #server: PuppetServer;
  readonly #profile: string;
  #browser: LaunchedEngine | undefined;
  #opened = 0;
  /** Process of each open tab, by the tab's name. */
  readonly #tabs = new Map<string, number>();

  constructor(engine: Engine, server: PuppetServer, profile: string) {
    this.#engine = engine;
    this.#server = server;
    this.#profile = profile;
  }

  get tabs(): readonly string[] {
    return [...this.#tabs.keys()];
  }

  /**
   * Opens tabs, and the browser if it is not running, until there are this many. The tabs that are open must be idle,
   * because the process of a new one is found by its work.
   */
  async openTabs(count: number): Promise<readonly string[]> {
    this.#browser ??= await launchEngine(this.#engine, { profile: this.#profile });
    while (this.#tabs.size < count) {
      const name = `tab${(this.#opened += 1)}`;
      this.#browser.open(`${this.#server.url}index.html?tab=${name}`);
      const shown = this.#server.run(name, () => document.readyState, 0).catch(() => undefined);
      // A Firefox that has just been started sometimes opens a window that stays empty.
      if (!(await Promise.race([shown, delay(EMPTY_MS, undefined, { ref: false })]))) continue;
      this.#tabs.set(name, await this.#processOf(name, this.#browser.pid));
    }
    return this.tabs;
  }

  /** Opens a page that is no tab of these, on another origin, so that it shares no database file with them. */
  async openElsewhere(): Promise<string> {
    this.#browser ??= await launchEngine(this.#engine, { profile: this.#profile });
    const name = `other${(this.#opened += 1)}`;
    this.#browser.open(`${this.#server.url.replace('127.0.0.1', 'localhost')}index.html?tab=${name}`);
    await this.#server.run(name, () => document.readyState, 0);
    return name;
  }

  /** Stops all processes, in the middle of what they do. */
  stop(): void {
    if (this.#browser) process.kill(-this.#browser.pid, 'SIGSTOP');
  }

  /** Kills, and returns the tabs that ended with it. */
  async kill(victim: Victim, tab: string): Promise<readonly string[]> {
    const group = this.#browser?.pid ?? 0;
    const before = this.tabs;
    if (victim === 'browser') {
      await this.close();
    } else if (victim === 'page') {
      const pid = this.#tabs.get(tab) ?? 0;
      process.kill(pid, 'SIGKILL');
      for (const [name, own] of this.#tabs) if (own === pid) this.#tabs.delete(name);
    } else {
      for (const { pid, kind } of processesOf(this.#engine, group)) {
        if (kind === 'storage') process.kill(pid, 'SIGKILL');
      }
    }
    return before.filter((name) => !this.#tabs.has(name));
  }

  /** Kills all of the browser; what it has stored stays. */
  async close(): Promise<void> {
    await this.#browser?.kill();
    this.#browser = undefined;
    this.#tabs.clear();
  }

  /**
   * Returns the process of a tab: the one that works when the tab does, twice in a row. No engine tells it without a
   * driver, and on a busy machine another process can seem to be the one.
   */
  async #processOf(tab: string, group: number): Promise<number> {
    for (let last: number | undefined; ;) {
      const before = new Map(pages(this.#engine, group).map(({ pid, cpuTimeNs }) => [pid, cpuTimeNs]));
      await this.#server.run(tab, countUp, 5_000_000);
      const [first, second] = pages(this.#engine, group)
        .map(({ pid, cpuTimeNs }) => ({ pid, worked: cpuTimeNs - (before.get(pid) ?? 0) }))
        .toSorted((a, b) => b.worked - a.worked);
      const found =
        first && before.has(first.pid) && first.worked > 4 * (second?.worked ?? 0) ? first.pid : undefined;
      if (found !== undefined && found === last) return found;
      last = found;
    }
  }
}

function pages(engine: Engine, group: number): ReturnType<typeof processesOf> {
  return processesOf(engine, group).filter(({ kind }) => kind === 'page');
}

function countUp(steps: number): number {
  let sum = 0;
  for (let step = 0; step < steps; step += 1) sum = (sum * 31 + step) % 1_000_003;
  return sum;
}
