import { nameKey } from '../../graph/entity-name.ts';
import { MnemoraError } from '../../model/error.ts';
import type { RowFields } from './row-fields.ts';

/**
 * Checks and returns a normalized name. An entity with any other key could never be found.
 *
 * @throws MnemoraError `backup-invalid`
 */
export function checkNameKey(fields: RowFields, name: string): string {
  const key = fields.id(name);
  if (nameKey(key) === key) return key;
  throw new MnemoraError('backup-invalid', `the field "${name}" must be a normalized name`);
}
