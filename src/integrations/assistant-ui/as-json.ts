import { MnemoraError, type JsonValue } from '../../index.ts';

/**
 * Returns a value as JSON. Undefined fields and file objects, which JSON cannot represent, are left out.
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
    throw new MnemoraError(
      'invalid-input',
      'A message of the thread cannot be represented as JSON, so it was not stored.',
      {
        cause,
      },
    );
  }
}
