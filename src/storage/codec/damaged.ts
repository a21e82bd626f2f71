import { MnemoraError } from '../../model/error.ts';

/** Returns an error about a part of a backup. Its message becomes part of the reader's message. */
export function damaged(why: string, cause?: unknown): MnemoraError {
  return new MnemoraError('backup-invalid', why, cause === undefined ? undefined : { cause });
}

/** Checks a field of a record. @throws MnemoraError `backup-invalid` */
export function requireField(holds: boolean, field: string, why: string): void {
  if (!holds) throw damaged(`the field "${field}" ${why}`);
}
