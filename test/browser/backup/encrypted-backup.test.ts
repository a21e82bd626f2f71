import { afterAll, beforeAll, expect, it } from 'vitest';
import { createMemory, type ImportOptions, type Memory } from '../../../src/index.ts';
import { newId } from '../../../src/model/id.ts';
import { dump } from '../../fixtures/databases/raw-database.ts';

const PASSPHRASE = 'Caf\u00e9 au lait';
const ITERATIONS = 600_000;

let source: Memory;
let target: Memory;
const targetName = newId();
let plain: Uint8Array<ArrayBuffer>;
let encrypted: Uint8Array<ArrayBuffer>;

beforeAll(async () => {
  const options = { embedder: false, learning: false } as const;
  source = await createMemory({ ...options, name: newId() });
  target = await createMemory({ ...options, name: targetName });
  for (let turn = 0; turn < 3; turn++)
    // Longer than one piece altogether.
    await source.remember({ user: `Sam lives in Rome. ${'Yes. '.repeat(150_000)}`, assistant: 'Noted.' });
  plain = await bytesOf(await source.backup.export());
  encrypted = await bytesOf(await source.backup.export({ passphrase: PASSPHRASE }));
});

afterAll(async () => {
  await source.close();
  await target.close();
});

async function bytesOf(blob: Blob): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await blob.arrayBuffer());
}

/** Compares large files, which `toEqual` takes long for. */
function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, at) => byte === b[at]);
}

function headerOf(file: Uint8Array): Record<string, unknown> {
  return JSON.parse(new TextDecoder().decode(file).split('\n')[0] ?? '') as Record<string, unknown>;
}

/** The encrypted file with another header. */
function headed(change: Record<string, unknown>): Blob {
  const header = JSON.stringify({ ...headerOf(encrypted), ...change });
  return new Blob([`${header}\n`, encrypted.slice(encrypted.indexOf(10) + 1)]);
}

/** Imports a file, and sees that it is refused with this code, and that nothing has changed. */
async function refuse(
  file: Blob,
  code: string,
  options: ImportOptions = { passphrase: PASSPHRASE },
): Promise<void> {
  const before = await dump(targetName);
  const importing = target.backup.import(file, options);
  await expect(importing).rejects.toMatchObject({ name: 'MnemoraError', code });
  expect(await dump(targetName)).toEqual(before);
}

it('BAK-44: a backup with a passphrase says nothing in plain text', async () => {
  const text = new TextDecoder('latin1').decode(encrypted);
  const told = ['lives in Rome', 'content', 'messages', 'sha256'].filter((word) => text.includes(word));
  expect(told).toEqual([]);
  expect(headerOf(encrypted)).toEqual({
    format: 'mnemora-backup-encrypted',
    version: 1,
    kdf: 'PBKDF2-SHA-256',
    iterations: ITERATIONS,
    salt: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
    iv: expect.stringMatching(/^[0-9a-f]{14}$/) as string,
  });
  const again = headerOf(await bytesOf(await source.backup.export({ passphrase: PASSPHRASE })));
  expect(again['salt']).not.toBe(headerOf(encrypted)['salt']);
});

it('BAK-45: what is not exactly the encrypted file and its passphrase is refused, and nothing changes', async () => {
  const code = 'wrong-passphrase';
  await refuse(new Blob([encrypted]), code, { passphrase: 'Cafe au lait' });
  await refuse(new Blob([encrypted]), code, { passphrase: ' ' });
  const start = encrypted.indexOf(10) + 1;
  const end = encrypted.length;
  for (const at of [start, start + 2 ** 20, start + 2 ** 20 + 16, end - 1]) {
    const flipped = encrypted.slice();
    flipped[at] = (flipped[at] ?? 0) ^ 1;
    await refuse(new Blob([flipped]), code);
  }
  const piece = 2 ** 20 + 16;
  const [head, first, second, rest] = [
    encrypted.slice(0, start),
    encrypted.slice(start, start + piece),
    encrypted.slice(start + piece, start + 2 * piece),
    encrypted.slice(start + 2 * piece),
  ];
  expect(rest.length).toBeGreaterThan(0);
  await refuse(new Blob([head]), code);
  await refuse(new Blob([head, first]), code);
  await refuse(new Blob([head, first, second]), code);
  await refuse(new Blob([head, second, first, rest]), code);
  await refuse(new Blob([encrypted, 'x']), code);
  await refuse(new Blob([encrypted.slice(0, -1)]), code);
  await refuse(headed({ iterations: ITERATIONS + 1 }), code);
  await refuse(headed({ salt: '0'.repeat(32) }), code);
});

it('BAK-46: a passphrase that is missing, superfluous or not one is refused with a typed error', async () => {
  await refuse(new Blob([encrypted]), 'passphrase-needed', {});
  await refuse(new Blob([plain]), 'invalid-option');
  for (const wrong of ['', 7, null]) {
    const passphrase = wrong as string;
    await refuse(new Blob([encrypted]), 'invalid-option', { passphrase });
    await expect(source.backup.export({ passphrase })).rejects.toMatchObject({ code: 'invalid-option' });
  }
});

it('BAK-70: a file whose key is derived in too few rounds is refused, whatever its passphrase', async () => {
  for (const iterations of [1, ITERATIONS - 1]) await refuse(headed({ iterations }), 'backup-invalid');
});

it('BAK-71: a new backup is not encrypted with fewer than 8 characters', async () => {
  const write = (): void => undefined;
  for (const passphrase of ['a', '1234567', '\u00e9'.repeat(7).normalize('NFD'), '😀😀😀😀'])
    for (const call of [
      source.backup.export({ passphrase }),
      source.backup.auto({ everyMs: 3_600_000, write, passphrase }),
    ]) {
      await expect(call).rejects.toMatchObject({
        code: 'invalid-option',
        message: expect.stringContaining('at least 8 characters'),
      });
    }
  await source.backup.export({ passphrase: '12345678' });
});

it('BAK-72: a file that is not a backup is refused in words that say so', async () => {
  for (const text of ['{"hello":1}', '', 'PK\u0003\u0004', '{"format":"mnemora-back'])
    for (const options of [{}, { passphrase: PASSPHRASE }])
      await expect(target.backup.import(new Blob([text]), options)).rejects.toMatchObject({
        code: 'backup-invalid',
        message: expect.stringContaining('This is not a backup of Mnemora'),
      });
});

it('BAK-46: where the browser does not encrypt, a passphrase is refused before anything happens', async () => {
  Object.defineProperty(crypto, 'subtle', { value: undefined, configurable: true });
  try {
    await refuse(new Blob([encrypted]), 'crypto-unavailable');
    await expect(source.backup.export({ passphrase: PASSPHRASE })).rejects.toMatchObject({
      code: 'crypto-unavailable',
    });
    expect(isSame(await bytesOf(await source.backup.export()), plain)).toBe(true);
  } finally {
    Reflect.deleteProperty(crypto, 'subtle');
  }
});

it('BAK-47: a header that is wrong or asks for too much work is refused before a key is derived', async () => {
  const { importKey } = SubtleCrypto.prototype;
  SubtleCrypto.prototype.importKey = () => {
    throw new Error('a key was derived');
  };
  try {
    for (const iterations of [0, -1, 1.5, 2_000_001, 2 ** 40, '600000', null])
      await refuse(headed({ iterations }), 'backup-invalid');
    await refuse(headed({ salt: '00' }), 'backup-invalid');
    await refuse(headed({ iv: 'x'.repeat(14) }), 'backup-invalid');
    await refuse(headed({ kdf: 'MD5' }), 'backup-invalid');
    await refuse(headed({ more: 1 }), 'backup-invalid');
    await refuse(headed({ version: 0 }), 'backup-invalid');
    await refuse(headed({ version: 2 }), 'backup-newer');
    await refuse(new Blob([encrypted.slice(0, 60)]), 'backup-invalid');
  } finally {
    SubtleCrypto.prototype.importKey = importKey;
  }
});

it('BAK-44: a backup is imported with its passphrase, in any Unicode form, as it was exported', async () => {
  await target.backup.import(new Blob([encrypted]), { passphrase: PASSPHRASE.normalize('NFD') });
  expect(isSame(await bytesOf(await target.backup.export()), plain)).toBe(true);
});
