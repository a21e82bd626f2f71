import {
  checkBoolean,
  checkFunction,
  checkName,
  checkOptions,
  checkString,
  objectWith,
  oneOf,
  wholeNumber,
  anything,
  checkList,
} from '../../model/check-options.ts';
import { invalidInput, invalidOption } from '../../model/error.ts';
import type { WarningListener } from '../../model/warning.ts';
import type { MemoryRetriever, RetrievedDocument, RetrieverDocument } from '../../recall/memory-retriever.ts';
import { lazyTokenizer } from '../../tokens/lazy-tokenizer.ts';
import { wholeCount, type Tokenizer } from '../../tokens/tokenizer.ts';
import type { BaseMemory, SaveContextOptions, Values } from './base-memory.ts';
import { fencedText, type FenceOption } from './fenced-memory.ts';
import { checkSaveOptions } from './history-memory.ts';
import { CALL_SETTINGS, chooseInputKey, presentKeys, requireKey } from './input-key.ts';
import { defined } from '../../model/defined.ts';

export interface VectorStoreRetrieverMemoryOptions extends FenceOption {
  /** Retriever that stores and finds the exchanges. */
  retriever: MemoryRetriever;
  /** Name of the variable that contains the exchanges. @default 'history' */
  memoryKey?: string;
  /** Name of the input to search by. If it is set, it is the only input that is stored. @default the only input */
  inputKey?: string;
  /** Name of the only output that is stored. @default all outputs are stored */
  outputKey?: string;
  /** Names of inputs that are neither stored nor used for searching. @default [] */
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

/** Metadata of every exchange, or a function that returns it for an exchange. */
export type MetadataSource =
  | Readonly<Record<string, unknown>>
  | ((inputs: Values, outputs: Values) => Readonly<Record<string, unknown>>);

/** An exchange, as returned with `returnDocs`. */
export interface MemoryDocument extends RetrieverDocument {
  id: string;
  score: number;
  createdAt: number;
}

/**
 * A memory that loads the earlier exchanges most relevant to the input. Each exchange is stored as one document with a
 * line `name: value` for every input and output.
 *
 * The exchanges are plain text, as in LangChain. `fence: true` quotes them as data; documents (`returnDocs`) are never
 * fenced, and `maxTokens` does not count the marks.
 */
export class VectorStoreRetrieverMemory implements BaseMemory {
  readonly #options: VectorStoreRetrieverMemoryOptions;
  readonly #memoryKey: string;
  /** Names of inputs that are neither stored nor used for searching. */
  readonly #excluded: readonly string[];
  readonly #tokenizer: () => Promise<Tokenizer>;
  readonly #addedIds = new Set<string>();

  /** @throws MnemoraError `invalid-option` */
  constructor(options: VectorStoreRetrieverMemoryOptions) {
    checkOptions('VectorStoreRetrieverMemory', options, OPTION_CHECKS);
    if (options.retriever === undefined) {
      throw invalidOption(
        'VectorStoreRetrieverMemory needs a retriever: pass memoryRetriever({ embedder: transformersEmbedder() }).',
      );
    }
    this.#options = { ...options };
    this.#memoryKey = options.memoryKey ?? 'history';
    this.#excluded = [this.#memoryKey, ...(options.excludeInputKeys ?? []), ...CALL_SETTINGS];
    this.#tokenizer = lazyTokenizer(options).get;
  }

  get memoryKeys(): string[] {
    return [this.#memoryKey];
  }

  checkInputs(inputs: Values, outputs?: Values): void {
    this.#inputLines(inputs);
    if (outputs) this.#outputLines(outputs);
  }

  /** @throws MnemoraError `invalid-input` if there is no input to search by, or more than one */
  async loadMemoryVariables(inputs: Values): Promise<Record<string, unknown>> {
    const { fence, retriever, inputKey, maxTokens, order, returnDocs, separator = '\n\n' } = this.#options;
    const key = chooseInputKey(inputs, { inputKey, exclude: this.#excluded });
    const found = await retriever.search(formatValue(inputs[key]));
    const kept = maxTokens === undefined ? [...found] : await this.#fit(found, maxTokens, separator);
    if (order === 'time') kept.sort((a, b) => a.createdAt - b.createdAt);
    if (returnDocs) return { [this.#memoryKey]: kept.map(toDocument) };
    const text = kept.map((hit) => this.#line(hit)).join(separator);
    return { [this.#memoryKey]: fence ? await fencedText('Earlier exchanges', [text]) : text };
  }

  /** Stores the exchange as one document. Saving again under the same turn id changes nothing. */
  async saveContext(inputs: Values, outputs: Values, options: SaveContextOptions = {}): Promise<void> {
    checkSaveOptions(options);
    const { signal, turnId } = options;
    signal?.throwIfAborted();
    const { metadata: source, retriever } = this.#options;
    const metadata = typeof source === 'function' ? source(inputs, outputs) : source;
    const text = [...this.#inputLines(inputs), ...this.#outputLines(outputs)].join('\n');
    const document = { text, ...defined({ metadata, id: turnId }) };
    const ids = await retriever.add([document], defined({ signal }));
    for (const id of ids) this.#addedIds.add(id);
  }

  /** Deletes this memory's own documents and no others. */
  async clear(): Promise<void> {
    const { retriever } = this.#options;
    if (retriever.clear) await retriever.clear();
    else if (this.#addedIds.size > 0) await retriever.delete([...this.#addedIds]);
    this.#addedIds.clear();
  }

  /** Returns a line for each input that is stored. @throws MnemoraError `invalid-input` */
  #inputLines(inputs: Values): string[] {
    const { inputKey } = this.#options;
    const isStored = ([key]: [string, unknown]): boolean => key === inputKey || !this.#excluded.includes(key);
    return entriesOf(inputs, 'input', inputKey).filter(isStored).map(toLine);
  }

  /** @throws MnemoraError `invalid-input` */
  #outputLines(outputs: Values): string[] {
    return entriesOf(outputs, 'output', this.#options.outputKey).map(toLine);
  }

  /** Returns the most relevant documents that fit into `maxTokens`. */
  async #fit(
    found: readonly RetrievedDocument[],
    maxTokens: number,
    separator: string,
  ): Promise<RetrievedDocument[]> {
    const tokenizer = await this.#tokenizer();
    const count = (text: string): number => wholeCount(tokenizer, tokenizer.countText(text));
    let left = maxTokens;
    const end = found.findIndex((hit, index) => {
      left -= count(index === 0 ? '' : separator) + count(this.#line(hit));
      return left < 0;
    });
    return found.slice(0, end < 0 ? found.length : end);
  }

  #line({ document, createdAt }: RetrievedDocument): string {
    const time = this.#options.showTimes ? `[${new Date(createdAt).toISOString()}]\n` : '';
    return `${time}${document.text}`;
  }
}

const OPTION_CHECKS = {
  retriever: objectWith('search', 'add', 'delete'),
  memoryKey: checkName,
  inputKey: checkName,
  outputKey: checkName,
  excludeInputKeys: checkList,
  returnDocs: checkBoolean,
  fence: checkBoolean,
  metadata: anything,
  maxTokens: wholeNumber(1),
  tokenizer: objectWith('countText'),
  order: oneOf('relevance', 'time'),
  showTimes: checkBoolean,
  separator: checkString,
  onWarning: checkFunction,
};

/** Returns the named value, or without a name all values that are set. */
function entriesOf(values: Values, kind: 'input' | 'output', only: string | undefined): [string, unknown][] {
  const present = presentKeys(values, kind);
  const keys = only === undefined ? present : [requireKey(present, only, kind)];
  return keys.map((key) => [key, values[key]]);
}

function toLine([key, value]: [string, unknown]): string {
  return `${key}: ${formatValue(value)}`;
}

function toDocument({ id, document, score, createdAt }: RetrievedDocument): MemoryDocument {
  return { id, ...document, score, createdAt };
}

function formatValue(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return String(value);
  try {
    return JSON.stringify(value);
  } catch (cause) {
    throw invalidInput(
      'An input or output of VectorStoreRetrieverMemory must be text or plain data (JSON).',
      cause,
    );
  }
}
