import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'vite';
import { compileWat } from '../../../scripts/compile-wat.ts';
import { type Engine, ENGINES, findEngine } from '../../../scripts/engines.ts';
import { type PuppetServer, startPuppetServer } from '../../engines/puppet-server.ts';

/** The engines that the tests run in. `npm test` says which are not here. */
export const INSTALLED: readonly Engine[] = ENGINES.filter((engine) => findEngine(engine) !== undefined);

/**
 * Those of them whose tests are no others' too: `npm test` checks the same in Chromium with more tabs, turns and kills.
 * `npm run test:engines` runs them in it as well.
 */
export const FOREIGN: readonly Engine[] = INSTALLED.filter(
  (engine) => engine !== 'chromium' || process.env['MNEMORA_ENGINES'] === 'all',
);

export interface ServedPage {
  readonly server: PuppetServer;
  close(): Promise<void>;
}

/**
 * Serves the page of these tests.
 *
 * @param others - Folders that are served besides, by the path at which they are served.
 */
export async function servePage(others: Readonly<Record<string, string>> = {}): Promise<ServedPage> {
  const page = await mkdtemp(join(tmpdir(), 'mnemora-engines-'));
  await build({
    configFile: false,
    root: join(import.meta.dirname, 'page'),
    logLevel: 'error',
    plugins: [compileWat()],
    build: { outDir: page, emptyOutDir: true, target: 'es2022' },
  });
  const server = await startPuppetServer({ ...others, '/': page });
  return {
    server,
    close: async () => {
      await server.close();
      await rm(page, { recursive: true, force: true });
    },
  };
}
