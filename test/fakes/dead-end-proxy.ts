import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A proxy that leads nowhere. */
export interface DeadEndProxy {
  readonly url: string;
  close(): Promise<void>;
}

/** Hosts that Chromium itself calls for updates, sign-in and autofill. */
const CHROMIUM_HOSTS = /^(?:https?:\/\/)?[\w.-]+\.(?:google|googleapis|gstatic|gvt1)\.com[:/]/;

/** Starts a proxy that records and refuses every request. */
export async function startDeadEndProxy(onRequest: (url: string) => void): Promise<DeadEndProxy> {
  const note = (target = ''): void => {
    if (!CHROMIUM_HOSTS.test(target)) onRequest(target);
  };
  const server = createServer((request, response) => {
    note(request.url);
    response.writeHead(502).end();
  });
  server.on('connect', (request, socket) => {
    note(request.url);
    // Nothing else handles errors of the socket from here on, and a browser that closes may reset it.
    socket.on('error', () => undefined);
    socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = async (): Promise<void> => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeAllConnections();
    await closed;
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}
