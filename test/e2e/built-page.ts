import { cp, mkdtemp, rm } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build, type PluginOption } from 'vite';
import { buildAssets } from '../../scripts/build-assets.ts';
import { compileWat } from '../../scripts/compile-wat.ts';
import { serveFolder, type StaticServer } from './package/static-server.ts';

/** The page policy that the guide names. */
const POLICY = "script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'";

export interface BuiltPageOptions {
  /** Names of packages that the page imports instead of others. */
  readonly alias?: Readonly<Record<string, string>>;
  /** What is put in place of names in the code of the page. */
  readonly define?: Readonly<Record<string, string>>;
  /** What else compiles the page. */
  readonly plugins?: readonly PluginOption[];
  /** Answers requests that are not for files; returns whether it does. */
  readonly handle?: (request: IncomingMessage, response: ServerResponse) => boolean;
}

/** Builds a page for production, with the assets of the library in `mnemora/`, and serves it until the server is closed. */
export async function serveBuiltPage(
  root: string,
  { alias = {}, define = {}, plugins = [], handle }: BuiltPageOptions = {},
): Promise<StaticServer> {
  const folder = await mkdtemp(join(tmpdir(), 'mnemora-page-'));
  await build({
    configFile: false,
    root,
    base: './',
    logLevel: 'error',
    plugins: [compileWat(), ...plugins],
    resolve: { tsconfigPaths: true, alias },
    define,
    build: { outDir: folder, emptyOutDir: true, target: 'es2022', modulePreload: { polyfill: false } },
  });
  await cp(await buildAssets(), join(folder, 'mnemora'), { recursive: true });
  const server = await serveFolder(folder, POLICY, handle);
  return {
    ...server,
    close: async () => {
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
