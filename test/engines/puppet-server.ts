import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { requestBody } from '../fakes/request-body.ts';
import { type Command, type Result, takeCommands } from './puppet-page.ts';

/** Serves a folder, and runs functions in its pages in any browser: each page asks for its next one and posts the result. */
export interface PuppetServer {
  /** Address of the folder, with a slash at the end. */
  readonly url: string;
  /** Address of a page without content that runs the functions for the tab with this name. */
  puppetUrl(tab: string): string;
  /**
   * Runs a function in the page that is open for this tab, now or as soon as there is one. The function is sent as text,
   * so it sees nothing but its argument and the page. Rejects with the message of what it throws.
   */
  run<A, T>(tab: string, action: (argument: A) => T | Promise<T>, argument: A): Promise<Awaited<T>>;
  close(): Promise<void>;
}

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
};

/**
 * @param folders - Folders by the path at which they are served, such as `/` or `/demo/`.
 * @param onNote - Called with what a page posts to `/puppet/note?tab=…`, before the page gets its answer.
 */
export async function startPuppetServer(
  folders: Readonly<Record<string, string>>,
  onNote: (tab: string, text: string) => void = () => undefined,
): Promise<PuppetServer> {
  const queued = new Map<string, Command[]>();
  const asking = new Map<string, ServerResponse>();
  const running = new Map<number, (result: Result) => void>();
  let lastId = 0;

  const handOut = (tab: string): void => {
    const response = asking.get(tab);
    // It stays until there is a result, because a browser whose network process ends loses what was sent to it.
    const command = response && queued.get(tab)?.[0];
    if (!response || !command) return;
    asking.delete(tab);
    response.end(JSON.stringify(command));
  };

  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const tab = searchParams.get('tab') ?? '';
    response.setHeader('cache-control', 'no-cache'); // not no-store, which keeps a page out of the back/forward cache
    if (pathname === '/puppet/page') return answer(response, '.html', PUPPET_PAGE);
    if (pathname === '/puppet/script.js') return answer(response, '.js', PUPPET_SCRIPT);
    if (pathname === '/puppet/next') {
      // A page that was reloaded asks while its last request may still be open.
      asking.set(tab, response);
      response.once('close', () => {
        if (asking.get(tab) === response) asking.delete(tab);
      });
      return handOut(tab);
    }
    if (pathname === '/puppet/note') {
      void requestBody(request).then((body) => {
        if (!body) return;
        onNote(tab, body.toString());
        response.end();
      });
      return;
    }
    if (pathname === '/puppet/result') {
      void requestBody(request).then((body) => {
        if (!body) return;
        const result = JSON.parse(body.toString()) as Result;
        running.get(result.id)?.(result);
        response.end();
      });
      return;
    }
    const [path = '/', folder = ''] =
      Object.entries(folders).find(([start]) => pathname.startsWith(start)) ?? [];
    const file = join(folder, pathname.slice(path.length), pathname.endsWith('/') ? 'index.html' : '');
    readFile(file).then(
      (content) => answer(response, extname(file), content),
      () => response.writeHead(404).end(),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;

  return {
    url,
    puppetUrl: (tab) => `${url}puppet/page?tab=${tab}`,
    run: (tab, action, argument) =>
      new Promise((resolve, reject) => {
        const id = (lastId += 1);
        running.set(id, ({ value, error }) => {
          running.delete(id);
          queued.set(tab, queued.get(tab)?.filter((command) => command.id !== id) ?? []);
          if (error === undefined) resolve(value as Awaited<ReturnType<typeof action>>);
          else reject(new Error(`In tab ${tab}: ${error}`));
        });
        queued.set(tab, [...(queued.get(tab) ?? []), { id, source: action.toString(), argument }]);
        handOut(tab);
      }),
    close: async () => {
      for (const [id, end] of running) end({ id, error: 'the server was closed.' });
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function answer(response: ServerResponse, extension: string, content: string | Buffer): void {
  response.setHeader('content-type', TYPES[extension] ?? 'application/octet-stream');
  response.setHeader('content-length', Buffer.byteLength(content));
  response.end(content);
}

const PUPPET_SCRIPT = `(${takeCommands.toString()})()`;
const PUPPET_PAGE = '<!doctype html><title>Puppet</title><script src="/puppet/script.js"></script>';
