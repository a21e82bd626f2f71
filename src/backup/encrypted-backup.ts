import { MnemoraError } from '../model/error.ts';
import { randomHex } from '../model/id.ts';
import { damaged } from '../storage/codec/damaged.ts';
import { RowFields } from '../storage/codec/row-fields.ts';
import { BACKUP_FORMAT } from './backup-format.ts';

/**
 * The file of an encrypted backup, version 1: a header line, then the backup in pieces of {@link PIECE_BYTES}, each
 * encrypted with AES-256-GCM and followed by its tag of 16 bytes.
 *
 * The header `{"format":"mnemora-backup-encrypted","version":1,"kdf":"PBKDF2-SHA-256","iterations":600000,"salt":"…",
 * "iv":"…"}` is in plain text, with its fields in this order, and is authenticated with every piece. The key is derived
 * from the passphrase in Unicode's form NFC. A piece's nonce is the `iv` of 7 random bytes, the number of the piece as
 * four bytes, and 1 for the last piece or 0, so that pieces cannot be exchanged or left out (the STREAM construction,
 * https://eprint.iacr.org/2015/189).
 */
const MAGIC = '{"format":"mnemora-backup-encrypted",';
const VERSION = 1;
const KDF = 'PBKDF2-SHA-256';
/** What OWASP's Password Storage Cheat Sheet recommends for PBKDF2 with HMAC-SHA-256. */
const ITERATIONS = 600_000;
/**
 * A file with fewer rounds than this library writes is refused: whoever has the file could guess its passphrase sooner. One
 * that asks for more than the maximum is refused, because deriving its key would take too long.
 */
const MIN_ITERATIONS = ITERATIONS;
const MAX_ITERATIONS = 2_000_000;
const MIN_PASSPHRASE_CHARACTERS = 8;
const MAX_HEADER_CHARACTERS = 512;
const SALT_BYTES = 16;
const IV_BYTES = 7;
const PIECE_BYTES = 2 ** 20;
const TAG_BYTES = 16;

/** What a header says of the encryption. Salt and iv are in hexadecimal. */
interface Header {
  readonly iterations: number;
  readonly salt: string;
  readonly iv: string;
}

/**
 * Returns the backup in a file, decrypted if necessary.
 *
 * @throws MnemoraError `passphrase-needed`, `wrong-passphrase`, `backup-invalid`, `backup-newer`, `crypto-unavailable`;
 *   `invalid-option` for a passphrase that is not one, or that is not needed
 */
export async function openBackup(
  file: Blob,
  passphrase: string | undefined,
  signal: AbortSignal | undefined,
): Promise<Blob> {
  const secret = passphrase === undefined ? undefined : checkPassphrase(passphrase);
  const bytes = await bytesOf(file.slice(0, MAX_HEADER_CHARACTERS));
  const start = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  const isEncrypted = start.startsWith(MAGIC);
  if (isEncrypted && secret !== undefined) return decryptBackup(file, readHeader(start), secret, signal);
  if (isEncrypted)
    throw new MnemoraError(
      'passphrase-needed',
      'This backup is encrypted. Import it with its passphrase; nothing was changed.',
    );
  if (!start.includes(`"format":"${BACKUP_FORMAT}"`))
    throw new MnemoraError(
      'backup-invalid',
      'This is not a backup of Mnemora: the file is empty or has a different format. Choose a file made by `backup.export`; nothing was changed.',
    );
  if (secret === undefined) return file;
  throw new MnemoraError(
    'invalid-option',
    'This backup is not encrypted, so its content may have been changed by anyone. Import it without a passphrase if you trust it; nothing was changed.',
  );
}

/** Returns a passphrase. @throws MnemoraError `invalid-option`; `crypto-unavailable` on an insecure origin */
function checkPassphrase(value: unknown): string {
  if (typeof value !== 'string' || value === '')
    throw new MnemoraError('invalid-option', 'passphrase must be a string that is not empty.');
  if (globalThis.crypto?.subtle) return value;
  throw new MnemoraError(
    'crypto-unavailable',
    'This page cannot encrypt or decrypt, because browsers allow that only on HTTPS and localhost. Nothing was changed.',
  );
}

/**
 * Returns a passphrase for a new file.
 *
 * @throws MnemoraError `invalid-option` if it has fewer than 8 characters; `crypto-unavailable` on an insecure origin
 */
export function checkNewPassphrase(value: unknown): string {
  const passphrase = checkPassphrase(value);
  if (Array.from(passphrase.normalize('NFC')).length >= MIN_PASSPHRASE_CHARACTERS) return passphrase;
  throw new MnemoraError(
    'invalid-option',
    `The passphrase of a backup must have at least ${MIN_PASSPHRASE_CHARACTERS} characters; several words are better. No backup was made.`,
  );
}

/** Encrypts a backup. @throws the signal's reason */
export async function encryptBackup(
  backup: Blob,
  passphrase: string,
  signal: AbortSignal | undefined,
): Promise<Blob> {
  const header = {
    version: VERSION,
    kdf: KDF,
    iterations: ITERATIONS,
    salt: randomHex(SALT_BYTES),
    iv: randomHex(IV_BYTES),
  };
  const line = `${MAGIC}${JSON.stringify(header).slice(1)}\n`;
  const additionalData = new TextEncoder().encode(line);
  const key = await deriveKey(passphrase, header);
  const pieces: BlobPart[] = [line];
  for await (const { bytes, nonce } of readPieces(backup, PIECE_BYTES, header.iv, signal)) {
    const encrypted = await crypto.subtle.encrypt({ name: 'AES-GCM', iv: nonce, additionalData }, key, bytes);
    pieces.push(new Blob([encrypted])); // which the browser may keep on disk
  }
  return new Blob(pieces, { type: 'application/octet-stream' });
}

async function decryptBackup(
  file: Blob,
  { header, line }: ReturnType<typeof readHeader>,
  passphrase: string,
  signal: AbortSignal | undefined,
): Promise<Blob> {
  const additionalData = new TextEncoder().encode(line);
  const key = await deriveKey(passphrase, header);
  const body = file.slice(additionalData.length);
  const pieces: Blob[] = [];
  for await (const { bytes, nonce } of readPieces(body, PIECE_BYTES + TAG_BYTES, header.iv, signal)) {
    try {
      const plain = await crypto.subtle.decrypt({ name: 'AES-GCM', iv: nonce, additionalData }, key, bytes);
      pieces.push(new Blob([plain]));
    } catch (cause) {
      throw new MnemoraError(
        'wrong-passphrase',
        'This backup cannot be decrypted: the passphrase is wrong or the file is damaged (the two cannot be told apart). Check the passphrase, then try another copy of the file; nothing was changed.',
        { cause },
      );
    }
  }
  return new Blob(pieces);
}

/** Yields a file in pieces, at least one, each with its nonce. */
async function* readPieces(
  file: Blob,
  size: number,
  iv: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<{ bytes: ArrayBuffer; nonce: Uint8Array<ArrayBuffer> }, void> {
  const count = Math.max(1, Math.ceil(file.size / size));
  for (let piece = 0; piece < count; piece++) {
    signal?.throwIfAborted();
    const nonce = new Uint8Array(IV_BYTES + 5);
    nonce.set(fromHex(iv));
    new DataView(nonce.buffer).setUint32(IV_BYTES, piece);
    nonce[IV_BYTES + 4] = piece === count - 1 ? 1 : 0;
    yield { bytes: await bytesOf(file.slice(piece * size, (piece + 1) * size)), nonce };
  }
}

async function bytesOf(part: Blob): Promise<ArrayBuffer> {
  try {
    return await part.arrayBuffer();
  } catch (cause) {
    throw invalid('the file cannot be read any more', cause); // it was changed or removed after it was picked
  }
}

async function deriveKey(passphrase: string, { salt, iterations }: Header): Promise<CryptoKey> {
  const { subtle } = crypto;
  const bytes = new TextEncoder().encode(passphrase.normalize('NFC'));
  const secret = await subtle.importKey('raw', bytes, 'PBKDF2', false, ['deriveKey']);
  const derivation = { name: 'PBKDF2', hash: 'SHA-256', salt: fromHex(salt), iterations };
  return subtle.deriveKey(derivation, secret, { name: 'AES-GCM', length: 256 }, false, [
    'encrypt',
    'decrypt',
  ]);
}

/** Reads and checks the header, which can be trusted only once the first piece is decrypted. */
function readHeader(start: string): { header: Header; line: string } {
  const line = start.slice(0, start.indexOf('\n') + 1);
  try {
    return { header: checkHeader(JSON.parse(line)), line };
  } catch (cause) {
    if (cause instanceof MnemoraError && cause.code === 'backup-newer') throw cause;
    throw invalid(cause instanceof MnemoraError ? cause.message : 'it is not valid JSON', cause);
  }
}

function checkHeader(value: unknown): Header {
  const version = Number(Object(value)['version']);
  if (version > VERSION)
    throw new MnemoraError(
      'backup-newer',
      `This backup was encrypted by a newer version of this library. Update the library, then import it again; nothing was changed.`,
    );
  const fields = new RowFields(value, ['format', 'version', 'kdf', 'iterations', 'salt', 'iv']);
  if (version !== VERSION) throw damaged(`the field "version" must be ${VERSION}`);
  const iterations = fields.count('iterations');
  if (iterations < MIN_ITERATIONS || iterations > MAX_ITERATIONS)
    throw damaged(`the field "iterations" must be from ${MIN_ITERATIONS} to ${MAX_ITERATIONS}`);
  const hex = (name: 'salt' | 'iv', bytes: number): string => {
    const text = fields.text(name);
    if (text.length === 2 * bytes && /^[0-9a-f]*$/.test(text)) return text;
    throw damaged(`the field "${name}" must be ${bytes} bytes in hexadecimal`);
  };
  fields.word('kdf', [KDF]);
  return { iterations, salt: hex('salt', SALT_BYTES), iv: hex('iv', IV_BYTES) };
}

function fromHex(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
}

function invalid(why: string, cause?: unknown): MnemoraError {
  return new MnemoraError(
    'backup-invalid',
    `This backup cannot be read. Line 1: ${why}. Use another copy of the file; nothing was changed.`,
    { cause },
  );
}
