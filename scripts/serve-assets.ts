import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { extname, join, normalize, sep } from 'node:path';
import { pipeline } from 'node:stream';
import type { Plugin } from 'vite';
import { buildAssets } from './build-assets.ts';

/** Path of the assets on the development server and in browser tests. */
export const ASSETS_PATH = '/mnemora-assets/';

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.wasm': 'application/wasm',
  '.onnx': 'application/octet-stream',
};

/**
 * The Content-Security-Policy under which the library must work. A worker uses the policy of its own response, so every
 * test that embeds also proves that nothing needs `eval` or another origin.
 */
const POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'";

/** Returns a Vite plugin that serves the assets under a path, which are built on the first request. */
export function serveAssets(path: string = ASSETS_PATH): Plugin {
  return serving(path, buildAssets);
}

/** Returns a Vite plugin that serves a folder under a path. */
export function serveFolder(path: string, folder: string): Plugin {
  return serving(path, () => Promise.resolve(folder));
}

function serving(path: string, open: () => Promise<string>): Plugin {
  let folder: Promise<string> | undefined;
  return {
    name: `mnemora-files${path}`,
    apply: 'serve',
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        const { pathname } = new URL(request.url ?? '/', 'http://localhost');
        if (!pathname.startsWith(path)) return next();
        folder ??= open();
        folder
          .then((root) => sendFile(response, root, pathname.slice(path.length)))
          .catch((error: unknown) => {
            folder = undefined; // the next request tries again
            next(error);
          });
        return undefined;
      });
    },
  };
}

async function sendFile(response: ServerResponse, root: string, path: string): Promise<void> {
  const file = normalize(join(root, decodeURIComponent(path)));
  const found = file.startsWith(root + sep) ? await stat(file).catch(() => undefined) : undefined;
  if (!found?.isFile()) {
    // Otherwise Vite would send its start page, and a missing model would look like a damaged one.
    response.writeHead(404, { 'content-type': 'text/plain' }).end('There is no such asset.\n');
    return;
  }
  response.writeHead(200, {
    'content-type': CONTENT_TYPES[extname(file)] ?? 'text/plain; charset=utf-8',
    'content-length': found.size,
    'content-security-policy': POLICY,
    'cache-control': 'no-cache',
    'x-content-type-options': 'nosniff',
  });
  // Where it fails, the page gets no more: mostly because it has left.
  pipeline(createReadStream(file), response, () => undefined);
}
