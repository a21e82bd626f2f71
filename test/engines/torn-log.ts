import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** LevelDB's logs are in blocks. Each record begins with a checksum, a length and a type (`log_format.md` of LevelDB). */
const BLOCK = 32_768;
const HEADER = 7;

/**
 * Whether Chromium will lose databases of an origin when it opens them, in a profile that is not in use. A power cut can
 * leave zeros at the end of LevelDB's log; Chromium goes on writing behind them, and takes them for damage next time.
 *
 * @param origin as in the names of its folders, such as `http_127.0.0.1`
 */
export function hasTornLog(profile: string, origin: string): boolean {
  const stored = join(profile, 'Default', 'IndexedDB');
  if (!existsSync(stored)) return false;
  return readdirSync(stored, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.startsWith(`${origin}_`) && path.endsWith('.log'))
    .some((path) => hasZerosWithin(readFileSync(join(stored, path))));
}

function hasZerosWithin(log: Buffer): boolean {
  for (let at = 0; at + HEADER <= log.length;) {
    const left = BLOCK - (at % BLOCK);
    const length = log.readUInt16LE(at + 4);
    if (left < HEADER) at += left;
    else if (length === 0 && log[at + 6] === 0) return log.subarray(at).some((byte) => byte !== 0);
    else at += HEADER + length;
  }
  return false;
}
