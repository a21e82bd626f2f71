import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const CACHE = join(import.meta.dirname, '../.cache');

/** Folder of the assets that are served with the library: worker, wasm and model. Built, never committed. */
export const ASSETS_FOLDER: string = join(CACHE, 'assets');

/** Whether `name` was last built from exactly these inputs. */
export async function isStamped(name: string, inputs: string): Promise<boolean> {
  const stamped = await readFile(stampPath(name), 'utf8').catch(() => undefined);
  return stamped === inputs;
}

/** Records that `name` has been built completely. Call it last. */
export async function stamp(name: string, inputs: string): Promise<void> {
  await writeWhole(stampPath(name), new TextEncoder().encode(inputs));
}

/** Writes a file atomically: another process sees either the old file or the new one. */
export async function writeWhole(path: string, content: Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const draft = `${path}.${process.pid}.tmp`;
  await writeFile(draft, content);
  await rename(draft, path);
}

function stampPath(name: string): string {
  return join(CACHE, 'stamps', name);
}
