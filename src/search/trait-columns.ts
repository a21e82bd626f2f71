import { checksumOf } from './checksum.ts';
import { arePackedNumbers, numberAt, packNumbers, type PackedNumbers } from './packed-numbers.ts';

/** Properties of a message's text that the ranking needs, without the text. */
export interface TextTraits {
  /** See `packTraits`. */
  readonly packed: number;
  /** See `hashTerms`. */
  readonly hashes: Uint16Array;
}

/** Traits of messages in columns, any row of which is read without unpacking the others. */
export interface TraitColumns {
  readonly packed: PackedNumbers;
  readonly hashes: Uint16Array;
  /** End of each row's hashes in `hashes`, exclusive. */
  readonly hashEnds: Uint32Array;
  readonly checksum: number;
}

export function toTraitColumns(traits: readonly TextTraits[]): TraitColumns {
  let end = 0;
  const hashEnds = Uint32Array.from(traits, ({ hashes }) => (end += hashes.length));
  const hashes = new Uint16Array(end);
  for (const [row, each] of traits.entries()) hashes.set(each.hashes, startOf(hashEnds, row));
  const columns = { packed: packNumbers(traits.map(({ packed }) => packed)), hashes, hashEnds };
  return { ...columns, checksum: checksumOfColumns(columns) };
}

export function traitsAt({ packed, hashes, hashEnds }: TraitColumns, row: number): TextTraits {
  return {
    packed: numberAt(packed, row),
    hashes: hashes.subarray(startOf(hashEnds, row), hashEnds[row]),
  };
}

/** Whether a stored value is undamaged columns with this number of rows. */
export function areTraitColumns(value: unknown, rows: number): value is TraitColumns {
  if (typeof value !== 'object' || value === null) return false;
  const { packed, hashes, hashEnds, checksum } = value as Partial<TraitColumns>;
  return (
    arePackedNumbers(packed, rows) &&
    hashes instanceof Uint16Array &&
    hashEnds instanceof Uint32Array &&
    hashEnds.length === rows &&
    checksum === checksumOfColumns({ packed, hashes, hashEnds })
  );
}

function startOf(ends: Uint32Array, row: number): number {
  return row === 0 ? 0 : (ends[row - 1] ?? 0);
}

function checksumOfColumns({ packed, hashes, hashEnds }: Omit<TraitColumns, 'checksum'>): number {
  return checksumOf([Float64Array.of(packed.base), packed.offsets, hashes, hashEnds]);
}
