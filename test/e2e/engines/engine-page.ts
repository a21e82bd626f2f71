import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'vite';
import { compileWat } from '../../../scripts/compile-wat.ts';
import { type Engine, ENGINES, findEngine } from '../../../scripts/engines.ts';
import { type PuppetServer, startPuppetServer } from '../../engines/puppet-server.ts';

/** The engines that the tests run in. `npm test` says which are not here. */
export const INSTALLED: readonly Engine[] = ENGINES.filter((engine) => findEngine(engine) !== undefined);

export interface ServedPage {
  readonly server: PuppetServer;
  close(): Promise<void>;
}

/**
 * Serves the page of these tests.
 *
 * @param others - Builds what is served besides, into a folder, by the path at which it is served.
 */
export async function servePage(
  others: Readonly<Record<string, (folder: string) => Promise<unknown>>> = {},
): Promise<ServedPage> {
  const folder = await mkdtemp(join(tmpdir(), 'mnemora-engines-'));
  const page = join(folder, 'page');
  await build({
    configFile: false,
    root: join(import.meta.dirname, 'page'),
    logLevel: 'error',
    plugins: [compileWat()],
    build: { outDir: page, emptyOutDir: true, target: 'es2022' },
  });
  const folders: Record<string, string> = {};
  for (const [path, buildInto] of Object.entries(others)) {
    folders[path] = join(folder, path);
    await buildInto(folders[path]);
  }
  const server = await startPuppetServer({ ...folders, '/': page });
  return {
    server,
    close: async () => {
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
