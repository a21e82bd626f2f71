import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Plugin, preview } from 'vite';

export interface DemoServer {
  /** Address of the page, with a trailing slash. */
  readonly url: string;
  close(): Promise<void>;
}

/** Serves a built demo at `http://localhost:PORT/`, or at the next free port. */
export async function serveDemo(folder: string, port: number): Promise<DemoServer> {
  const server = await preview({
    configFile: false,
    root: folder,
    base: '/',
    appType: 'mpa', // a missing file must be a 404, not the start page
    logLevel: 'error',
    plugins: [uncompressed()],
    build: { outDir: folder },
    preview: {
      port,
      host: 'localhost',
      headers: {
        // The page's policy is in a meta element; workers need it in their own response.
        // What a meta element cannot say is said here only.
        'content-security-policy': `${await readPolicy(folder)}; frame-ancestors 'none'`,
        'x-frame-options': 'DENY',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
      },
    },
  });
  const [url] = server.resolvedUrls?.local ?? [];
  if (url === undefined) throw new Error('The server for the demo has no address.');
  const close = async (): Promise<void> => {
    const closed = server.close();
    // Browsers keep connections open, for which the server would wait.
    if ('closeAllConnections' in server.httpServer) server.httpServer.closeAllConnections();
    await closed;
  };
  return { url, close };
}

/** Disables compression, because the page needs the content length to show how far the model has loaded. */
function uncompressed(): Plugin {
  return {
    name: 'demo-uncompressed',
    configurePreviewServer(server) {
      server.middlewares.use((request, _response, next) => {
        delete request.headers['accept-encoding'];
        next();
      });
    },
  };
}

async function readPolicy(folder: string): Promise<string> {
  const html = await readFile(join(folder, 'index.html'), 'utf8');
  const [, policy] = /http-equiv="Content-Security-Policy"\s+content="([^"]+)"/.exec(html) ?? [];
  if (policy === undefined) throw new Error('The built page has no Content-Security-Policy.');
  return policy;
}
