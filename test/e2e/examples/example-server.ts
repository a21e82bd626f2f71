import { spawn } from 'node:child_process';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../../..');
const FIRST_PORT = '5460';

/** What `npm run example NAME` prints until it ends. */
export async function outputOfExample(...args: string[]): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, ['--import', 'tsx', 'scripts/example.ts', ...args], { cwd: ROOT });
  let output = '';
  child.stdout.on('data', (data: Buffer) => (output += data.toString()));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, output }));
  });
}

/** Starts `npm run example NAME` and resolves with the address that it prints. */
export async function startExample(name: string): Promise<{ url: string; close: () => Promise<void> }> {
  const child = spawn(process.execPath, ['--import', 'tsx', 'scripts/example.ts', name], {
    cwd: ROOT,
    env: { ...process.env, PORT: FIRST_PORT },
  });
  const ended = new Promise<void>((resolve) => child.on('close', () => resolve()));
  const close = async (): Promise<void> => {
    child.kill();
    await ended;
  };
  let output = '';
  const url = await new Promise<string>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', () => reject(new Error(`The example ended: ${output}`)));
    child.stderr.on('data', (data: Buffer) => (output += data.toString()));
    child.stdout.on('data', (data: Buffer) => {
      output += data.toString();
      const [, address] = /^The example \S+ is at (\S+) \(end with Ctrl\+C\)\n$/mu.exec(output) ?? [];
      if (address !== undefined) resolve(address);
    });
  });
  return { url, close };
}
