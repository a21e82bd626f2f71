import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { hasTornLog } from '../../engines/torn-log.ts';

const BLOCK = 32_768;
const HEADER = 7;

let profile: string;

beforeEach(() => (profile = mkdtempSync(join(tmpdir(), 'mnemora-torn-log-'))));
afterEach(() => rmSync(profile, { recursive: true }));

/** A record of LevelDB's log with a text of this length. Its checksum is not read. */
function record(length: number): Buffer {
  const bytes = Buffer.alloc(HEADER + length, 'x');
  bytes.writeUInt16LE(length, 4);
  bytes[6] = 1;
  return bytes;
}

function isTorn(log: Buffer): boolean {
  const folder = join(profile, 'Default', 'IndexedDB', 'http_127.0.0.1_80.indexeddb.leveldb');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, '000003.log'), log);
  return hasTornLog(profile, 'http_127.0.0.1');
}

it('CRA-9: zeros inside a log are told from the end of one that a cut left, and from what fills a block', () => {
  expect(hasTornLog(profile, 'http_127.0.0.1')).toBe(false);
  const zeros = Buffer.alloc(100);
  const filled = Buffer.concat([record(BLOCK - HEADER - 5), Buffer.alloc(5), record(20)]);
  for (const whole of [Buffer.alloc(0), record(20), record(0), filled, filled.subarray(0, -3)]) {
    expect(isTorn(whole)).toBe(false);
    expect(isTorn(Buffer.concat([whole, zeros]))).toBe(false);
  }
  expect(isTorn(Buffer.concat([record(20), zeros, record(20)]))).toBe(true);
  expect(isTorn(Buffer.concat([filled, zeros, record(20)]))).toBe(true);
  expect(hasTornLog(profile, 'http_localhost')).toBe(false);
});
