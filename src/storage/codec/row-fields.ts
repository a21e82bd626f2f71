import { nameKey } from '../../graph/entity-name.ts';
import { requireTime } from '../../model/clock.ts';
import type { MnemoraError } from '../../model/error.ts';
import { MAX_ID_LENGTH } from '../../model/id.ts';
import { isRecord } from '../../model/is-record.ts';
import type { TokenCounts } from '../../model/message.ts';
import { damaged } from './damaged.ts';
import { decodePlain } from './plain-value.ts';

/** Largest accepted count: beyond any real counter, and small enough for exact sums. */
const MAX_COUNT = 2 ** 48;
/** Limit of ids, keys and names, in UTF-16 units; twice that of a memory, because some keys contain an id. */
const MAX_ID_CHARACTERS = 2 * MAX_ID_LENGTH;
const MAX_ITEMS = 1_000_000;

/** Kinds of fields: names of the methods of {@link RowFields} that check one. */
type FieldKind = Exclude<keyof RowFields, 'has' | 'raw' | 'rawFields' | 'all' | 'word' | 'list'>;

/** Fields of a record in the order in which they are checked. Those marked with `?` may be absent. */
type FieldTable = Readonly<Record<string, FieldKind | `${FieldKind}?`>>;

type Checked<Kind> = Kind extends `${infer Name extends FieldKind}?`
  ? Checked<Name>
  : ReturnType<RowFields[Kind & FieldKind]>;

type FieldsOf<Table extends FieldTable> = {
  [Name in keyof Table as Table[Name] extends FieldKind ? Name : never]: Checked<Table[Name]>;
} & { [Name in keyof Table as Table[Name] extends FieldKind ? never : Name]?: Checked<Table[Name]> };

/**
 * Checks a record that has only the fields of a table.
 *
 * @throws MnemoraError `backup-invalid`
 */
export function readFields<const Table extends FieldTable>(
  value: unknown,
  table: Table,
  fileScope?: string,
): FieldsOf<Table> {
  return new RowFields(value, Object.keys(table), { fileScope }).all(table);
}

/** Fields of a record of unknown origin. Each method checks one field, and names it in the error. */
export class RowFields {
  readonly #fields: Readonly<Record<string, unknown>>;
  readonly #fileScope: string | undefined;
  readonly #what: string;

  /**
   * @param options.fileScope scope of the file, which its records do not name
   * @throws MnemoraError `backup-invalid` unless the value is an object with no other fields than these
   */
  constructor(
    value: unknown,
    names: readonly string[],
    { what = '', fileScope }: { what?: string; fileScope?: string | undefined } = {},
  ) {
    this.#what = what && ` of ${what}`;
    this.#fileScope = fileScope;
    if (!isRecord(value)) throw damaged(`${what || 'it'} must be an object`);
    const isKnown = (name: string): boolean =>
      names.includes(name) && (name !== 'scope' || fileScope === undefined);
    const unknown = Object.keys(value).find((name) => !isKnown(name));
    this.#fields = value;
    if (unknown !== undefined) throw this.#wrong(unknown.slice(0, 40), 'is unknown');
  }

  /** Returns the fields of a table. */
  all<const Table extends FieldTable>(table: Table): FieldsOf<Table> {
    const fields: Record<string, unknown> = {};
    for (const [name, kind] of Object.entries(table)) {
      const method = kind.replace('?', '') as FieldKind;
      if (method === kind || this.has(name)) fields[name] = this[method](name);
    }
    return fields as FieldsOf<Table>;
  }

  scope(name: string): string {
    return this.#fileScope ?? this.id(name);
  }

  has(name: string): boolean {
    return Object.hasOwn(this.#fields, name);
  }

  raw(name: string): unknown {
    return this.has(name) ? this.#fields[name] : undefined;
  }

  /** Returns those of these fields that are present, unchecked. */
  rawFields(names: readonly string[]): Readonly<Record<string, unknown>> {
    return Object.fromEntries(names.filter((name) => this.has(name)).map((name) => [name, this.raw(name)]));
  }

  text(name: string): string {
    return this.#checked(name, (value) => typeof value === 'string', 'must be a string');
  }

  id(name: string): string {
    const value = this.text(name);
    if (value === '') throw this.#wrong(name, 'must not be empty');
    if (value.length > MAX_ID_CHARACTERS)
      throw this.#wrong(name, `must have at most ${MAX_ID_CHARACTERS} characters`);
    return value;
  }

  /** Returns a normalized name. An entity with any other key could never be found. */
  nameKey(name: string): string {
    const key = this.id(name);
    if (nameKey(key) !== key) throw this.#wrong(name, 'must be a normalized name');
    return key;
  }

  ids(name: string): string[] {
    const values = this.list(name);
    const isId = (value: unknown): value is string =>
      typeof value === 'string' && value !== '' && value.length <= MAX_ID_CHARACTERS;
    if (values.every(isId)) return [...values];
    throw this.#wrong(name, `must contain strings of 1 to ${MAX_ID_CHARACTERS} characters only`);
  }

  word<T extends string>(name: string, words: readonly T[]): T {
    const word = words.find((candidate) => candidate === this.raw(name));
    if (word === undefined) throw this.#wrong(name, `must be one of ${words.join(', ')}`);
    return word;
  }

  flag(name: string): boolean {
    return this.#checked(name, (value) => typeof value === 'boolean', 'must be true or false');
  }

  count(name: string): number {
    return this.#checked(name, isCount, `must be a whole number from 0 to ${MAX_COUNT}`);
  }

  /** Returns the token counts that are valid. */
  counts(name: string): TokenCounts {
    return validCounts(this.#checked(name, isRecord, 'must be an object'));
  }

  time(name: string): number {
    const value = this.#checked(name, (given) => typeof given === 'number', 'must be a time');
    try {
      return requireTime(value, name);
    } catch (cause) {
      throw damaged(`the field "${name}"${this.#what} must be a time`, cause);
    }
  }

  list(name: string): readonly unknown[] {
    const isList = (value: unknown): value is unknown[] => Array.isArray(value) && value.length <= MAX_ITEMS;
    return this.#checked(name, isList, `must be a list of at most ${MAX_ITEMS} items`);
  }

  /** Returns users' own data. */
  metadata(name: string): Record<string, unknown> {
    const value = decodePlain(this.raw(name));
    if (!isRecord(value) || value instanceof Date) throw this.#wrong(name, 'must be an object');
    return value;
  }

  #checked<T>(name: string, isFit: (value: unknown) => value is T, why: string): T {
    const value = this.raw(name);
    if (!isFit(value)) throw this.#wrong(name, why);
    return value;
  }

  #wrong(name: string, why: string): MnemoraError {
    return damaged(`the field "${name}"${this.#what} ${why}`);
  }
}

/**
 * Returns the token counts that are whole numbers. Any others, which earlier versions have stored as a custom tokenizer
 * returned them, are left out: tokens can be counted again.
 */
export function validCounts(counts: object): TokenCounts {
  return Object.fromEntries(
    Object.entries(counts).filter((entry): entry is [string, number] => isCount(entry[1])),
  );
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= MAX_COUNT;
}
