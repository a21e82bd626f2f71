import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { extname, join } from 'node:path';
import { requestBody } from '../../fakes/request-body.ts';

/** A server of one folder that sends a Content-Security-Policy with everything and hears what broke it. */
export interface StaticServer {
  /** Address of the folder, with a slash at the end. */
  readonly url: string;
  /** Paths that were asked for, by pages and workers alike. */
  readonly served: readonly string[];
  /** What browsers reported, pages and workers alike, since the server started. */
  readonly violations: readonly string[];
  close(): Promise<void>;
}

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.wasm': 'application/wasm',
};
const REPORT_PATH = '/csp-report';

/** @param handle answers requests that are not for files; returns whether it does */
export async function serveFolder(
  folder: string,
  policy: string,
  handle: (request: IncomingMessage, response: ServerResponse) => boolean = () => false,
): Promise<StaticServer> {
  const violations: string[] = [];
  const served: string[] = [];
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    if (request.method === 'POST' && pathname === REPORT_PATH) {
      void requestBody(request).then((report) => {
        if (report) violations.push(report.toString());
        response.writeHead(204).end();
      });
      return;
    }
    if (handle(request, response)) return;
    served.push(pathname);
    const file = join(folder, pathname.endsWith('/') ? `${pathname}index.html` : pathname);
    readFile(file).then(
      (content) =>
        response
          .writeHead(200, {
            'content-type': CONTENT_TYPES[extname(file)] ?? 'application/octet-stream',
            // As servers of files send it; the worker warns where it is missing.
            'content-length': content.length,
            'content-security-policy': `${policy}; report-uri ${REPORT_PATH}`,
          })
          .end(content),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  if (!address || typeof address === 'string') throw new Error('The test server has no port.');
  return {
    url: `http://127.0.0.1:${address.port}/`,
    served,
    violations,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}
