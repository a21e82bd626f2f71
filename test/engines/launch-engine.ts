import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { type Engine, requireEngine } from '../../scripts/engines.ts';
import { DISPLAY_FLAGS, engineCommand, type FirefoxPreferences } from './engine-command.ts';

/** A browser of the system that runs with a profile of its own and without a driver. */
export interface LaunchedEngine {
  readonly engine: Engine;
  /** Id of its main process, and of the group to which all its processes belong. */
  readonly pid: number;
  /** The folder of everything that it stores. Pass it to `launchEngine` to start again with what is stored. */
  readonly profile: string;
  /** Opens an address in a window of its own, so that no page is hidden by another. */
  open(url: string): void;
  /** Sends a signal to all its processes and resolves when the main one has ended. The profile stays. */
  kill(signal?: NodeJS.Signals): Promise<void>;
  /** Kills it, and removes the profile unless the caller named it. */
  close(): Promise<void>;
}

export interface LaunchOptions {
  /** Folder of everything that the browser stores. A new one by default. */
  readonly profile?: string;
  /** Preferences of Firefox, besides those of every start. */
  readonly preferences?: FirefoxPreferences;
}

/** Starts a browser of the system, with a fresh profile unless a folder is named. */
export async function launchEngine(engine: Engine, options: LaunchOptions = {}): Promise<LaunchedEngine> {
  const profile = options.profile ?? (await mkdtemp(join(tmpdir(), `mnemora-${engine}-`)));
  await mkdir(profile, { recursive: true });
  const opener = await startOpener();
  const display = engine === 'webkit' ? await startDisplay() : undefined;
  const { flags, env } = await engineCommand(engine, {
    profile,
    display: display?.name ?? '',
    preferences: options.preferences ?? [],
  });
  const browser = startGroup(requireEngine(engine), [...flags, opener.url], env);
  const kill = async (signal: NodeJS.Signals = 'SIGKILL'): Promise<void> => {
    await endGroup(browser, signal);
    await opener.close();
    if (display) await endGroup(display.process, 'SIGKILL');
  };
  const close = async (): Promise<void> => {
    await kill();
    // Processes that are just ending may still write.
    if (options.profile === undefined) await rm(profile, { recursive: true, force: true, maxRetries: 10 });
  };
  return { engine, pid: pidOf(browser), profile, open: opener.open, kill, close };
}

interface Opener {
  readonly url: string;
  open(url: string): void;
  close(): Promise<void>;
}

const OPENER_PAGE = `<!doctype html><title>Opens windows</title><script>
new EventSource('/addresses').onmessage = ({ data }) => window.open(data, '_blank', 'noopener,popup');
</script>`;

/** Serves the browser's first page, which opens the others: the only way that works in all engines without a driver. */
async function startOpener(): Promise<Opener> {
  let stream: ServerResponse | undefined;
  let unsent: string[] = [];
  const send = (): void => {
    if (!stream) return;
    for (const url of unsent) stream.write(`data: ${url}\n\n`);
    unsent = [];
  };
  const server = createServer((request, response) => {
    const isPage = request.url === '/';
    response.writeHead(isPage || request.url === '/addresses' ? 200 : 404, {
      'content-type': isPage ? 'text/html' : 'text/event-stream',
    });
    if (request.url !== '/addresses') return void response.end(isPage ? OPENER_PAGE : '');
    response.write('retry: 20\n\n');
    // The browser's network process may be killed, and connects again.
    response.once('close', () => {
      if (stream === response) stream = undefined;
    });
    stream = response;
    send();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    // Another site than the pages that it opens, so that its process is another one and outlives theirs.
    url: `http://localhost:${(server.address() as AddressInfo).port}/`,
    open(url) {
      unsent.push(url);
      send();
    },
    close: async () => {
      if (!server.listening) return;
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** Starts an X display in memory: MiniBrowser has no headless mode. */
async function startDisplay(): Promise<{ readonly name: string; readonly process: ChildProcess }> {
  const started = spawn('Xvfb', DISPLAY_FLAGS, {
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  endWithThisProcess(started);
  const [number] = (await once(started.stdio[3] as Readable, 'data')) as [Buffer];
  return { name: `:${number.toString().trim()}`, process: started };
}

function startGroup(
  path: string,
  flags: readonly string[],
  env: Readonly<Record<string, string>>,
): ChildProcess {
  // A group of its own, so that one signal reaches all processes of the browser.
  const started = spawn(path, flags, { detached: true, stdio: 'ignore', env: { ...process.env, ...env } });
  endWithThisProcess(started);
  return started;
}

function endWithThisProcess(started: ChildProcess): void {
  const end = (): void => signalGroup(started, 'SIGKILL');
  process.once('exit', end);
  started.once('exit', () => process.off('exit', end));
}

async function endGroup(started: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const hasEnded = started.exitCode !== null || started.signalCode !== null;
  const ended = hasEnded ? undefined : once(started, 'exit');
  signalGroup(started, signal);
  await ended;
}

function signalGroup(started: ChildProcess, signal: NodeJS.Signals): void {
  try {
    process.kill(-pidOf(started), signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error; // all have ended already
  }
}

function pidOf({ pid, spawnfile }: ChildProcess): number {
  if (pid === undefined) throw new Error(`${spawnfile} could not be started.`);
  return pid;
}
