import { MnemoraError } from '../../model/error.ts';

const BYTES_PER_NUMBER = 4;
/** Number of arguments of one call. Engines accept no more than some ten thousand. */
const CHUNK = 8192;

/** Encodes the numbers as 32-bit floats, little endian, in base64. */
export function vectorToText(vector: Float32Array): string {
  const bytes = new Uint8Array(vector.length * BYTES_PER_NUMBER);
  const view = new DataView(bytes.buffer);
  for (const [index, number] of vector.entries()) view.setFloat32(index * BYTES_PER_NUMBER, number, true);
  let binary = '';
  for (let at = 0; at < bytes.length; at += CHUNK) {
    binary += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
  }
  return btoa(binary);
}

/**
 * Decodes the output of {@link vectorToText}.
 *
 * @throws MnemoraError `backup-invalid` if it is not valid, or a number is not finite
 */
export function vectorFromText(text: string): Float32Array {
  let binary: string;
  try {
    binary = atob(text);
  } catch (cause) {
    throw new MnemoraError('backup-invalid', 'a vector must be in base64', { cause });
  }
  if (binary.length === 0 || binary.length % BYTES_PER_NUMBER !== 0 || btoa(binary) !== text) {
    throw new MnemoraError('backup-invalid', 'a vector must be 32-bit numbers in base64, at least one');
  }
  const view = new DataView(Uint8Array.from(binary, (byte) => byte.charCodeAt(0)).buffer);
  const vector = new Float32Array(binary.length / BYTES_PER_NUMBER);
  for (const index of vector.keys()) vector[index] = view.getFloat32(index * BYTES_PER_NUMBER, true);
  if (!isFiniteVector(vector))
    throw new MnemoraError('backup-invalid', 'the numbers of a vector must be finite');
  return vector;
}

export function isFiniteVector(vector: Float32Array): boolean {
  return vector.length > 0 && vector.every((number) => Number.isFinite(number));
}
