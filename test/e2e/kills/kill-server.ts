import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { build } from 'vite';
import { compileWat } from '../../../scripts/compile-wat.ts';

/** Serves the page in which the library works, as few files, because it is opened very often. */
export interface KillServer {
  /** Of a tab by that name. */
  url(tab: string): string;
  /** Resolves when that tab stands still, with what lets it go on. */
  stopped(tab: string): Promise<() => void>;
  close(): Promise<void>;
}

const TYPES: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript' };
const ROOT = join(import.meta.dirname, '../../..');

export async function startKillServer(): Promise<KillServer> {
  const folder = await mkdtemp(join(tmpdir(), 'mnemora-kills-'));
  await build({
    root: ROOT,
    base: './',
    configFile: false,
    logLevel: 'error',
    plugins: [compileWat()],
    build: {
      outDir: folder,
      minify: false,
      target: 'esnext',
      rolldownOptions: { input: join(ROOT, 'test/e2e/kills/page/index.html') },
    },
  });
  const waiting = new Map<string, (goOn: () => void) => void>();
  const arrived: { tab: string; response: ServerResponse }[] = [];
  const server = createServer((request, response) => {
    const { pathname, search } = new URL(request.url ?? '/', 'http://localhost');
    if (pathname === '/stop') {
      const tab = search.slice(1);
      const waiter = waiting.get(tab);
      waiting.delete(tab);
      if (waiter) waiter(() => response.end());
      else arrived.push({ tab, response });
      return;
    }
    readFile(join(folder, pathname)).then(
      (content) =>
        response
          .writeHead(200, {
            'content-type': TYPES[extname(pathname)] ?? 'application/octet-stream',
            'cache-control': 'max-age=3600',
          })
          .end(content),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  if (!address || typeof address === 'string') throw new Error('The test server has no port.');
  return {
    url: (tab) => `http://127.0.0.1:${address.port}/test/e2e/kills/page/index.html?${tab}`,
    stopped(tab) {
      const position = arrived.findIndex((each) => each.tab === tab);
      const [first] = position < 0 ? [] : arrived.splice(position, 1);
      if (first) return Promise.resolve(() => first.response.end());
      return new Promise((resolve) => waiting.set(tab, resolve));
    },
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
      await rm(folder, { recursive: true, force: true });
    },
  };
}
