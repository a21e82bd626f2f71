import { lazyTokenizer } from '../../tokens/lazy-tokenizer.ts';
import type { Tokenizer } from '../../tokens/tokenizer.ts';
import {
  checkRetrieverOptions,
  ExchangeDocuments,
  formatValue,
  type VectorStoreRetrieverMemoryOptions,
} from './exchange-documents.ts';
import { checkSaveOptions } from './history-connection.ts';
import { chooseInputKey } from './input-key.ts';
import type { BaseMemory, SaveContextOptions, Values } from './base-memory.ts';

/**
 * A memory that loads the earlier exchanges most relevant to the input. Each exchange is stored as one document with a
 * line `name: value` for every input and output.
 */
export class VectorStoreRetrieverMemory implements BaseMemory {
  readonly #options: VectorStoreRetrieverMemoryOptions;
  readonly #documents: ExchangeDocuments;
  readonly #tokenizer: () => Promise<Tokenizer>;
  readonly #addedIds = new Set<string>();

  /** @throws MnemoraError `invalid-option` */
  constructor(options: VectorStoreRetrieverMemoryOptions) {
    checkRetrieverOptions(options);
    this.#options = { ...options };
    this.#documents = new ExchangeDocuments(this.#options);
    const { tokenizer } = options;
    this.#tokenizer = tokenizer ? async () => tokenizer : lazyTokenizer({ onWarning: options.onWarning }).get;
  }

  get memoryKeys(): string[] {
    return [this.#documents.memoryKey];
  }

  /** @throws MnemoraError `invalid-input` if there is no input to search by, or more than one */
  async loadMemoryVariables(inputs: Values): Promise<Record<string, unknown>> {
    const { retriever, inputKey, order = 'relevance', maxTokens } = this.#options;
    const { memoryKey, excluded } = this.#documents;
    const key = chooseInputKey(inputs, { inputKey, exclude: [...excluded] });
    const found = await retriever.search(formatValue(inputs[key]));
    const kept =
      maxTokens === undefined ? [...found] : this.#documents.fit(found, maxTokens, await this.#tokenizer());
    if (order === 'time') kept.sort((a, b) => a.createdAt - b.createdAt);
    return { [memoryKey]: this.#documents.render(kept) };
  }

  /** Stores the exchange as one document. Saving again under the same turn id changes nothing. */
  async saveContext(inputs: Values, outputs: Values, options: SaveContextOptions = {}): Promise<void> {
    checkSaveOptions(options);
    const { signal, turnId } = options;
    signal?.throwIfAborted();
    const metadata = this.#documents.metadataOf(inputs, outputs);
    const document = {
      text: this.#documents.textOf(inputs, outputs),
      ...(metadata ? { metadata } : {}),
      ...(turnId === undefined ? {} : { id: turnId }),
    };
    const ids = await this.#options.retriever.add([document], signal ? { signal } : {});
    for (const id of ids) this.#addedIds.add(id);
  }

  /** Deletes this memory's own documents and no others. */
  async clear(): Promise<void> {
    const { retriever } = this.#options;
    if (retriever.clear) await retriever.clear();
    else if (this.#addedIds.size > 0) await retriever.delete([...this.#addedIds]);
    this.#addedIds.clear();
  }
}
