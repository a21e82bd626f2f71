import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { CHROMIUM_FLAGS, requireEngine } from '../../../scripts/engines.ts';

/** A tab of a {@link RawBrowser}. */
export interface RawTab {
  /** Runs the body of an asynchronous function in the tab. */
  run<T>(body: string): Promise<T>;
  setState(state: 'frozen' | 'active'): Promise<unknown>;
}

/**
 * A Chromium without Playwright, which shows every tab as visible: here only the newest one is, and a browser freezes
 * hidden tabs only.
 */
export interface RawBrowser {
  openTab(url: string): Promise<RawTab>;
  close(): Promise<void>;
}

interface Answer {
  id?: number;
  result?: Record<string, unknown>;
  error?: { message: string };
}

export async function startRawBrowser(): Promise<RawBrowser> {
  const folder = await mkdtemp(join(tmpdir(), 'mnemora-raw-'));
  const flags = ['--headless', ...CHROMIUM_FLAGS, '--remote-debugging-pipe', `--user-data-dir=${folder}`];
  const chromium = spawn(requireEngine('chromium'), [...flags, 'about:blank'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise((resolve) => chromium.once('exit', resolve));
  const input = chromium.stdio[3] as Writable;
  const waiting = new Map<number, (answer: Answer) => void>();
  onMessage(chromium.stdio[4] as Readable, (answer) => waiting.get(answer.id ?? 0)?.(answer));
  let lastId = 0;
  const send = async (
    method: string,
    params: object = {},
    sessionId?: string,
  ): Promise<Record<string, unknown>> => {
    lastId += 1;
    const id = lastId;
    const answering = new Promise<Answer>((resolve) => waiting.set(id, resolve));
    input.write(`${JSON.stringify({ id, method, params, ...(sessionId ? { sessionId } : {}) })}\0`);
    const { result, error } = await answering;
    if (!result) throw new Error(`${method}: ${error?.message}`);
    return result;
  };
  return {
    async openTab(url) {
      const { targetId } = await send('Target.createTarget', { url });
      const { sessionId } = (await send('Target.attachToTarget', { targetId, flatten: true })) as {
        sessionId: string;
      };
      return {
        async run<T>(body: string): Promise<T> {
          const expression = `(async () => { ${body} })()`;
          const params = { expression, awaitPromise: true, returnByValue: true };
          const { result, exceptionDetails } = await send('Runtime.evaluate', params, sessionId);
          if (exceptionDetails) throw new Error(JSON.stringify(exceptionDetails));
          return (result as { value: T }).value;
        },
        setState: (state) => send('Page.setWebLifecycleState', { state }, sessionId),
      };
    },
    async close() {
      chromium.kill();
      await ended;
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Messages are JSON, each ended by a zero byte. */
function onMessage(output: Readable, listener: (answer: Answer) => void): void {
  let rest = '';
  output.setEncoding('utf8');
  output.on('data', (text: string) => {
    const parts = (rest + text).split('\0');
    rest = parts.pop() ?? '';
    for (const part of parts) listener(JSON.parse(part) as Answer);
  });
}
