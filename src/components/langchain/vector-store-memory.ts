import { MnemoraError } from '../../model/error.ts';
import type { MemoryRetriever, RetrievedDocument, RetrieverDocument } from '../../recall/retriever.ts';
import { checkSaveOptions } from './save-options.ts';
import type { WarningListener } from '../../model/warning.ts';
import { lazyTokenizer } from '../../tokens/lazy-tokenizer.ts';
import type { Tokenizer } from '../../tokens/tokenizer.ts';
import {
  checkBoolean,
  checkMethods,
  checkName,
  checkOptionNames,
  checkString,
  checkWholeNumber,
  checkWord,
} from '../../model/check-options.ts';
import { chooseInputKey } from './input-key.ts';
import type { Memory, SaveContextOptions, Values } from './memory.ts';

export interface VectorStoreRetrieverMemoryOptions {
  /** Where the exchanges are kept and found. */
  retriever: MemoryRetriever;
  /** The name that `loadMemoryVariables` returns them under. @default 'history' */
  memoryKey?: string;
  /** The input to search by; where it is given, the only input that is stored. @default the only one there is */
  inputKey?: string;
  /** Where it is given, the only output that is stored. @default all */
  outputKey?: string;
  /** Inputs that are neither stored nor searched by. @default [] */
  excludeInputKeys?: readonly string[];
  /** Return documents `{ id, text, metadata, score, createdAt }` instead of text. @default false */
  returnDocs?: boolean;
  /** Stored with each exchange: values, or a function of inputs and outputs that makes them. */
  metadata?: MetadataSource;
  /** Most tokens of all exchanges together; the least relevant go first. @default no limit */
  maxTokens?: number;
  /** Counts for `maxTokens`. @default tiktokenTokenizer(), loaded at the first use */
  tokenizer?: Tokenizer;
  /** Most relevant first, or oldest first. @default 'relevance' */
  order?: 'relevance' | 'time';
  /** Begin each exchange with its time, as `[2026-01-31T12:00:00.000Z]` on a line of its own. @default false */
  showTimes?: boolean;
  /** Between two exchanges. @default a blank line */
  separator?: string;
  onWarning?: WarningListener;
}

type MetadataSource =
  | Readonly<Record<string, unknown>>
  | ((inputs: Values, outputs: Values) => Readonly<Record<string, unknown>>);

/** An exchange as `returnDocs` returns it. */
export interface MemoryDocument extends RetrieverDocument {
  id: string;
  score: number;
  createdAt: number;
}

/**
 * Loads the old exchanges that are most relevant to the input. Each is stored as one document: every input and every
 * output as a line `name: value`.
 */
export class VectorStoreRetrieverMemory implements Memory {
  readonly memoryKeys: readonly string[];
  readonly #options: VectorStoreRetrieverMemoryOptions;
  readonly #memoryKey: string;
  readonly #excluded: ReadonlySet<string>;
  readonly #tokenizer: () => Promise<Tokenizer>;
  readonly #addedIds = new Set<string>();

  /** @throws MnemoraError `invalid-option` */
  constructor(options: VectorStoreRetrieverMemoryOptions) {
    this.#options = checkOptions(options);
    this.#memoryKey = options.memoryKey ?? 'history';
    this.memoryKeys = Object.freeze([this.#memoryKey]);
    this.#excluded = new Set([this.#memoryKey, ...(options.excludeInputKeys ?? []), ...SETTINGS]);
    const { tokenizer } = options;
    this.#tokenizer = tokenizer ? async () => tokenizer : lazyTokenizer({ onWarning: options.onWarning }).get;
  }

  /** @throws MnemoraError `invalid-input` where there is no input to search by, or more than one. */
  async loadMemoryVariables(inputs: Values): Promise<Record<string, unknown>> {
    const { retriever, inputKey, order = 'relevance' } = this.#options;
    const key = chooseInputKey(inputs, { inputKey, exclude: [...this.#excluded] });
    const query = formatValue(inputs[key]);
    const found = await this.#fit(await retriever.search(query));
    if (order === 'time') found.sort((a, b) => a.createdAt - b.createdAt);
    return { [this.#memoryKey]: this.#render(found) };
  }

  /** Stores the exchange as one document; the same turn id again changes nothing. */
  async saveContext(inputs: Values, outputs: Values, options: SaveContextOptions = {}): Promise<void> {
    checkSaveOptions(options);
    const { signal, turnId } = options;
    signal?.throwIfAborted();
    const { retriever, metadata } = this.#options;
    const made = typeof metadata === 'function' ? metadata(inputs, outputs) : metadata;
    const ids = await retriever.add(
      [
        {
          text: this.#documentText(inputs, outputs),
          ...(made ? { metadata: made } : {}),
          ...(turnId === undefined ? {} : { id: turnId }),
        },
      ],
      signal ? { signal } : {},
    );
    for (const id of ids) this.#addedIds.add(id);
  }

  /** Removes this memory's own documents and leaves others alone. */
  async clear(): Promise<void> {
    const { retriever } = this.#options;
    if (retriever.clear) await retriever.clear();
    else if (this.#addedIds.size > 0) await retriever.delete([...this.#addedIds]);
    this.#addedIds.clear();
  }

  #documentText(inputs: Values, outputs: Values): string {
    const { inputKey, outputKey } = this.#options;
    const input =
      inputKey === undefined
        ? Object.entries(inputs).filter(([key, value]) => value !== undefined && !this.#excluded.has(key))
        : [[inputKey, requireValue(inputs, inputKey, 'input')] as const];
    const output =
      outputKey === undefined
        ? Object.entries(outputs).filter(([, value]) => value !== undefined)
        : [[outputKey, requireValue(outputs, outputKey, 'output')] as const];
    return [...input, ...output].map(([key, value]) => `${key}: ${formatValue(value)}`).join('\n');
  }

  /** The most relevant that fit into `maxTokens`. */
  async #fit(found: readonly RetrievedDocument[]): Promise<RetrievedDocument[]> {
    const { maxTokens, separator = DEFAULT_SEPARATOR } = this.#options;
    if (maxTokens === undefined) return [...found];
    const tokenizer = await this.#tokenizer();
    const kept: RetrievedDocument[] = [];
    let left = maxTokens;
    for (const hit of found) {
      const before = kept.length === 0 ? '' : separator;
      left -= tokenizer.countText(before) + tokenizer.countText(this.#documentLine(hit));
      if (left < 0) break;
      kept.push(hit);
    }
    return kept;
  }

  #render(found: readonly RetrievedDocument[]): string | MemoryDocument[] {
    const { returnDocs = false, separator = DEFAULT_SEPARATOR } = this.#options;
    if (returnDocs) {
      return found.map(({ id, document, score, createdAt }) => ({ id, ...document, score, createdAt }));
    }
    return found.map((hit) => this.#documentLine(hit)).join(separator);
  }

  #documentLine({ document, createdAt }: RetrievedDocument): string {
    return this.#options.showTimes
      ? `[${new Date(createdAt).toISOString()}]\n${document.text}`
      : document.text;
  }
}

/** Beside the inputs in one object, but settings of the call. */
const SETTINGS = ['stop', 'signal', 'timeout'] as const;

const DEFAULT_SEPARATOR = '\n\n';

const OPTION_NAMES = [
  'retriever',
  'memoryKey',
  'inputKey',
  'outputKey',
  'excludeInputKeys',
  'returnDocs',
  'metadata',
  'maxTokens',
  'tokenizer',
  'order',
  'showTimes',
  'separator',
  'onWarning',
] as const satisfies readonly (keyof VectorStoreRetrieverMemoryOptions)[];

function checkOptions(options: VectorStoreRetrieverMemoryOptions): VectorStoreRetrieverMemoryOptions {
  checkOptionNames('VectorStoreRetrieverMemory', options, OPTION_NAMES);
  const { memoryKey, inputKey, outputKey, excludeInputKeys, tokenizer, maxTokens } = options;
  checkMethods('retriever', options.retriever, ['search', 'add', 'delete']);
  if (memoryKey !== undefined) checkName('memoryKey', memoryKey);
  if (inputKey !== undefined) checkName('inputKey', inputKey);
  if (outputKey !== undefined) checkName('outputKey', outputKey);
  if (maxTokens !== undefined) checkWholeNumber('maxTokens', maxTokens, 1);
  if (tokenizer !== undefined) checkMethods('tokenizer', tokenizer, ['countText']);
  if (options.separator !== undefined) checkString('separator', options.separator);
  if (options.order !== undefined) checkWord('order', options.order, ['relevance', 'time']);
  if (options.returnDocs !== undefined) checkBoolean('returnDocs', options.returnDocs);
  if (options.showTimes !== undefined) checkBoolean('showTimes', options.showTimes);
  if (excludeInputKeys !== undefined && !Array.isArray(excludeInputKeys)) {
    throw new MnemoraError('invalid-option', 'excludeInputKeys must be a list of names.');
  }
  return { ...options };
}

function requireValue(values: Values, key: string, kind: 'input' | 'output'): unknown {
  if (values[key] !== undefined) return values[key];
  const names = Object.keys(values).join(', ') || 'none';
  throw new MnemoraError('invalid-input', `${kind} key "${key}" not found; got: ${names}`);
}

function formatValue(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
}
