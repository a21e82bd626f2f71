import type { MemoryRetriever, RetrievedDocument, RetrieverDocument } from '../../recall/memory-retriever.ts';
import {
  checkBoolean,
  checkName,
  checkOptions,
  checkString,
  objectWith,
  oneOf,
  wholeNumber,
} from '../../model/check-options.ts';
import { MnemoraError } from '../../model/error.ts';
import type { WarningListener } from '../../model/warning.ts';
import type { Tokenizer } from '../../tokens/tokenizer.ts';
import type { Values } from './base-memory.ts';

export interface VectorStoreRetrieverMemoryOptions {
  /** Retriever that stores and finds the exchanges. */
  retriever: MemoryRetriever;
  /** Name of the variable that contains the exchanges. @default 'history' */
  memoryKey?: string;
  /** Name of the input to search by. If it is set, it is the only input that is stored. @default the only input */
  inputKey?: string;
  /** Name of the only output that is stored. @default all outputs are stored */
  outputKey?: string;
  /** Names of inputs that are neither stored nor searched by. @default [] */
  excludeInputKeys?: readonly string[];
  /** Whether to return documents `{ id, text, metadata, score, createdAt }` instead of text. @default false */
  returnDocs?: boolean;
  /** Metadata stored with each exchange: an object, or a function of inputs and outputs that returns one. */
  metadata?: MetadataSource;
  /** Maximum tokens of all exchanges; the least relevant ones are left out. @default no limit */
  maxTokens?: number;
  /** Counts tokens for `maxTokens`. @default tiktokenTokenizer(), loaded on first use */
  tokenizer?: Tokenizer;
  /** Order of the exchanges: most relevant first, or oldest first. @default 'relevance' */
  order?: 'relevance' | 'time';
  /** Whether each exchange begins with a line such as `[2026-01-31T12:00:00.000Z]`. @default false */
  showTimes?: boolean;
  /** Text between two exchanges. @default a blank line */
  separator?: string;
  onWarning?: WarningListener;
}

/** Metadata of every exchange, or a function that makes it of one. */
export type MetadataSource =
  | Readonly<Record<string, unknown>>
  | ((inputs: Values, outputs: Values) => Readonly<Record<string, unknown>>);

/** An exchange as `returnDocs` returns it. */
export interface MemoryDocument extends RetrieverDocument {
  id: string;
  score: number;
  createdAt: number;
}

/** Settings of a call that callers pass in one object with the inputs. */
const SETTINGS = ['stop', 'signal', 'timeout'] as const;

/** Converts exchanges to documents, and documents to text. */
export class ExchangeDocuments {
  readonly memoryKey: string;
  /** Inputs that are neither stored nor searched by. */
  readonly excluded: ReadonlySet<string>;
  readonly #options: VectorStoreRetrieverMemoryOptions;

  constructor(options: VectorStoreRetrieverMemoryOptions) {
    this.#options = options;
    this.memoryKey = options.memoryKey ?? 'history';
    this.excluded = new Set([this.memoryKey, ...(options.excludeInputKeys ?? []), ...SETTINGS]);
  }

  /** Returns inputs and outputs as lines `name: value`. */
  textOf(inputs: Values, outputs: Values): string {
    const { inputKey, outputKey } = this.#options;
    const input =
      inputKey === undefined
        ? Object.entries(inputs).filter(([key, value]) => value !== undefined && !this.excluded.has(key))
        : [[inputKey, requireValue(inputs, inputKey, 'input')] as const];
    const output =
      outputKey === undefined
        ? Object.entries(outputs).filter(([, value]) => value !== undefined)
        : [[outputKey, requireValue(outputs, outputKey, 'output')] as const];
    return [...input, ...output].map(([key, value]) => `${key}: ${formatValue(value)}`).join('\n');
  }

  metadataOf(inputs: Values, outputs: Values): Readonly<Record<string, unknown>> | undefined {
    const { metadata } = this.#options;
    return typeof metadata === 'function' ? metadata(inputs, outputs) : metadata;
  }

  /** The most relevant documents that fit into `maxTokens`. */
  fit(found: readonly RetrievedDocument[], maxTokens: number, tokenizer: Tokenizer): RetrievedDocument[] {
    const kept: RetrievedDocument[] = [];
    let left = maxTokens;
    for (const hit of found) {
      const before = kept.length === 0 ? '' : this.#separator;
      left -= tokenizer.countText(before) + tokenizer.countText(this.#line(hit));
      if (left < 0) break;
      kept.push(hit);
    }
    return kept;
  }

  render(found: readonly RetrievedDocument[]): string | MemoryDocument[] {
    if (this.#options.returnDocs) {
      return found.map(({ id, document, score, createdAt }) => ({ id, ...document, score, createdAt }));
    }
    return found.map((hit) => this.#line(hit)).join(this.#separator);
  }

  get #separator(): string {
    return this.#options.separator ?? '\n\n';
  }

  #line({ document, createdAt }: RetrievedDocument): string {
    return this.#options.showTimes
      ? `[${new Date(createdAt).toISOString()}]\n${document.text}`
      : document.text;
  }
}

/** @throws MnemoraError `invalid-option` */
export function checkRetrieverOptions(options: VectorStoreRetrieverMemoryOptions): void {
  checkOptions('VectorStoreRetrieverMemory', options, {
    retriever: objectWith('search', 'add', 'delete'),
    memoryKey: checkName,
    inputKey: checkName,
    outputKey: checkName,
    excludeInputKeys: checkNames,
    returnDocs: checkBoolean,
    metadata: () => undefined,
    maxTokens: wholeNumber(1),
    tokenizer: objectWith('countText'),
    order: oneOf('relevance', 'time'),
    showTimes: checkBoolean,
    separator: checkString,
    onWarning: () => undefined,
  });
  objectWith('search', 'add', 'delete')('retriever', options.retriever);
}

function checkNames(name: string, value: unknown): void {
  if (Array.isArray(value)) return;
  throw new MnemoraError('invalid-option', `${name} must be a list of names.`);
}

function requireValue(values: Values, key: string, kind: 'input' | 'output'): unknown {
  if (values[key] !== undefined) return values[key];
  const names = Object.keys(values).join(', ') || 'none';
  throw new MnemoraError('invalid-input', `${kind} key "${key}" not found; got: ${names}`);
}

/** A value as text. */
export function formatValue(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
}
