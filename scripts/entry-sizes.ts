import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { buildPackage } from './build.ts';

const ENTRIES = ['mnemora.global.js', 'embedding-worker.js'];

/** Returns the size in bytes of each entry of the built package, compressed with brotli. */
export async function entrySizes(): Promise<Record<string, number>> {
  const folder = await buildPackage();
  const sizes = ENTRIES.map(async (file): Promise<[string, number]> => {
    return [file, brotliCompressSync(await readFile(join(folder, file))).length];
  });
  return Object.fromEntries(await Promise.all(sizes));
}
