import { MnemoraError, type JsonValue } from '../../index.ts';

/**
 * Returns a value as JSON. Fields without a value and open files, which JSON does not have, are left out.
 *
 * @throws MnemoraError `invalid-input` if it contains itself or a BigInt
 */
export function asJson(value: unknown): JsonValue {
  try {
    const text = JSON.stringify(value, (_name, inner: unknown) =>
      inner instanceof Blob ? undefined : inner,
    );
    return JSON.parse(text) as JsonValue;
  } catch (cause) {
    throw new MnemoraError('invalid-input', 'A message of a thread is not JSON. It was not stored.', {
      cause,
    });
  }
}
