import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'vite';
import { compileWat } from '../../../scripts/compile-wat.ts';
import { type PuppetServer, startPuppetServer } from '../../engines/puppet-server.ts';
import type { MemoryState } from '../kills/page/memory-state.ts';
import { WrittenTurns } from './written-turns.ts';

/** The memory that the tabs of a round open, and what extracts its facts. */
export interface RoundMemory {
  readonly name: string;
  readonly extractor: 'rules' | 'model';
}

/** Asks tabs to write and to check, and takes down what they note. */
export interface WritingTabs {
  readonly server: PuppetServer;
  /** What was noted about the database that is written to now. */
  readonly written: WrittenTurns;
  /** Number of turns acknowledged in all databases. */
  readonly total: number;
  /** Opens the memory in each of these tabs. */
  open(tabs: readonly string[], memory: RoundMemory): Promise<void>;
  /** Starts a writer in each of these tabs. */
  write(writers: ReadonlyMap<string, string>): Promise<void>;
  /** Stops the writers of these tabs, and resolves when all background work has ended. */
  stop(tabs: readonly string[]): Promise<void>;
  /** Writes the turn that a writer was not told about twice, as a chat does that was reloaded. */
  resend(tab: string, writer: string): Promise<void>;
  /** Returns how what is stored differs from what was acknowledged, and the facts from those that a rebuild makes. */
  check(tab: string): Promise<string[]>;
  /** Forgets the notes: what follows is written to another database. */
  startDatabase(): void;
  close(): Promise<void>;
}

/** Builds the page and serves it. */
export async function startWritingTabs(): Promise<WritingTabs> {
  const folder = await mkdtemp(join(tmpdir(), 'mnemora-rounds-'));
  await build({
    configFile: false,
    root: join(import.meta.dirname, 'page'),
    logLevel: 'error',
    plugins: [compileWat()],
    build: {
      outDir: folder,
      emptyOutDir: true,
      target: 'es2022',
      // In WebKit, an import() that is under way when the network process is killed never settles.
      rolldownOptions: { output: { codeSplitting: false } },
    },
  });
  let [written, before] = [new WrittenTurns(), 0];
  const server = await startPuppetServer({ '/': folder }, (_tab, text) => written.note(text));
  const state = (tab: string): Promise<MemoryState> =>
    server.run(tab, () => window.roundTab.settledState(), 0);
  return {
    server,
    get written() {
      return written;
    },
    get total() {
      return before + written.total;
    },
    async open(tabs, memory) {
      const opening = tabs.map((tab) => server.run(tab, (options) => window.roundTab.open(options), memory));
      await Promise.all(opening);
    },
    async write(writers) {
      for (const [tab, name] of writers) {
        await server.run(tab, (writer) => window.roundTab.write(writer), name);
      }
    },
    async stop(tabs) {
      await Promise.all(tabs.map((tab) => server.run(tab, () => window.roundTab.stop(), 0)));
      for (const tab of tabs) await state(tab);
    },
    async resend(tab, writer) {
      const n = written.count(writer);
      await server.run(tab, (turn) => window.roundTab.resend(turn), { writer, n });
      written.keep(writer, n);
    },
    async check(tab) {
      const learned = await state(tab);
      const wrong = written.check(learned);
      await server.run(tab, () => window.roundTab.rebuild(), 0);
      const { facts, jobs, problems } = await state(tab);
      const left = [...jobs, ...problems].map((each) => `left by rebuild: ${JSON.stringify(each)}`);
      return [
        ...wrong,
        ...left,
        ...learned.facts.filter((fact) => !facts.includes(fact)).map((fact) => `not rebuilt: ${fact}`),
        ...facts.filter((fact) => !learned.facts.includes(fact)).map((fact) => `only rebuilt: ${fact}`),
      ];
    },
    startDatabase() {
      before += written.total;
      written = new WrittenTurns();
    },
    async close() {
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
