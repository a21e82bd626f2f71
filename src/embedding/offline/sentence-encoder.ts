import { MatrixKernel, PANEL_COLUMNS, type Floats, type StoredMatrix } from './matrix-kernel.ts';
import { readOnnxTensors, type StoredTensor } from './onnx-tensors.ts';

/** Length of the vectors. */
export const VECTOR_LENGTH = 512;

/** Tokens of a text that are read, as in the original. */
const MAX_TOKENS = 128;
const EMBEDDING_LENGTH = 256;
const WIDEST = 1536;
const HEADS = 4;
const NORM_EPSILON = 1e-6;

interface Norm {
  readonly scale: Float32Array;
  readonly bias: Float32Array;
}

interface Layer {
  readonly length: number;
  readonly attentionNorm: Norm;
  readonly attention: StoredMatrix;
  readonly attended: StoredMatrix;
  /** The first layer is wider than its input, so its skip connection goes through a matrix. */
  readonly skip: StoredMatrix | undefined;
  readonly widenNorm: Norm;
  readonly widen: StoredMatrix;
  readonly narrow: StoredMatrix;
}

/**
 * Computes the vectors of the offline model, Universal Sentence Encoder Lite, from its ONNX file. It computes what the
 * graph in that file says (`scripts/use-lite-graph.ts`), without the ten megabytes of code that run any graph.
 */
export class SentenceEncoder {
  readonly #tensors: ReadonlyMap<string, StoredTensor>;
  readonly #kernel: MatrixKernel;
  readonly #embeddings: Int8Array;
  readonly #embeddingScales: Float32Array;
  readonly #timing: readonly Float32Array[];
  readonly #layers: readonly Layer[];
  readonly #head: StoredMatrix;
  readonly #rows: Floats;
  readonly #normed: Floats;
  readonly #wide: Floats;
  readonly #scores: Floats;
  readonly #added: Floats;

  /** @throws Error if the file is not the offline model */
  constructor(file: Uint8Array) {
    this.#tensors = readOnnxTensors(file);
    this.#kernel = new MatrixKernel(file, WIDEST, MAX_TOKENS * (WIDEST + MAX_TOKENS + 3 * VECTOR_LENGTH));
    this.#rows = this.#kernel.reserve(MAX_TOKENS * VECTOR_LENGTH);
    this.#normed = this.#kernel.reserve(MAX_TOKENS * VECTOR_LENGTH);
    this.#wide = this.#kernel.reserve(MAX_TOKENS * WIDEST);
    this.#scores = this.#kernel.reserve(MAX_TOKENS * MAX_TOKENS);
    this.#added = this.#kernel.reserve(MAX_TOKENS * VECTOR_LENGTH);
    const { offset, byteLength } = this.#tensor('embeddings');
    this.#embeddings = new Int8Array(this.#kernel.memory, offset, byteLength);
    this.#embeddingScales = this.#floats('embeddings/scale');
    this.#timing = timingOf(this.#floats('timing/frequencies'));
    this.#layers = [this.#layer('layer0', EMBEDDING_LENGTH), this.#layer('layer1', VECTOR_LENGTH)];
    this.#head = this.#matrix('head');
  }

  /** Returns the vector of a text, of unit length. */
  encode(tokens: readonly number[]): Float32Array<ArrayBuffer> {
    const count = Math.min(tokens.length, MAX_TOKENS);
    this.#embed(tokens.slice(0, count));
    for (const layer of this.#layers) this.#run(layer, count);
    const mean = new Float32Array(VECTOR_LENGTH);
    for (let i = 0; i < count * VECTOR_LENGTH; i++)
      mean[i % VECTOR_LENGTH] = (mean[i % VECTOR_LENGTH] ?? 0) + (this.#rows.values[i] ?? 0) / count;
    this.#rows.values.set(mean);
    this.#kernel.multiplyByStored(1, VECTOR_LENGTH, this.#rows, this.#head, this.#added);
    const vector = this.#added.values.slice(0, VECTOR_LENGTH).map(Math.tanh);
    const length = Math.hypot(...vector);
    return vector.map((value) => value / length);
  }

  #embed(tokens: readonly number[]): void {
    tokens.forEach((token, position) => {
      const [from, to] = [token * EMBEDDING_LENGTH, position * EMBEDDING_LENGTH];
      const scale = this.#embeddingScales[token] ?? 0;
      this.#timing[position]?.forEach((timing, index) => {
        this.#rows.values[to + index] = (this.#embeddings[from + index] ?? 0) * scale + timing;
      });
    });
  }

  #run(layer: Layer, count: number): void {
    this.#normalize(layer.attentionNorm, count);
    this.#kernel.multiplyByStored(count, layer.length, this.#normed, layer.attention, this.#wide);
    this.#attend(count, layer.length);
    this.#kernel.multiplyByStored(count, layer.length, this.#normed, layer.attended, this.#added);
    if (layer.skip) {
      this.#kernel.multiplyByStored(count, layer.length, this.#rows, layer.skip, this.#normed);
      this.#rows.values.set(this.#normed.values);
    }
    this.#add(count);
    this.#normalize(layer.widenNorm, count);
    this.#kernel.multiplyByStored(count, VECTOR_LENGTH, this.#normed, layer.widen, this.#wide);
    const wide = this.#wide.values;
    for (let i = 0; i < count * WIDEST; i++) if ((wide[i] ?? 0) < 0) wide[i] = 0;
    this.#kernel.multiplyByStored(count, WIDEST, this.#wide, layer.narrow, this.#added);
    this.#add(count);
  }

  /** Adds `#added` to the rows. */
  #add(count: number): void {
    const [rows, added] = [this.#rows.values, this.#added.values];
    for (let i = 0; i < count * VECTOR_LENGTH; i++) rows[i] = (rows[i] ?? 0) + (added[i] ?? 0);
  }

  /** Writes the rows to `#normed`, each with a mean of 0 and a variance of 1 before scale and bias. */
  #normalize({ scale, bias }: Norm, count: number): void {
    const [rows, normed, length] = [this.#rows.values, this.#normed.values, scale.length];
    for (let from = 0; from < count * length; from += length) {
      let sum = 0;
      for (let i = 0; i < length; i++) sum += rows[from + i] ?? 0;
      const mean = sum / length;
      let squares = 0;
      for (let i = 0; i < length; i++) squares += ((rows[from + i] ?? 0) - mean) ** 2;
      const factor = 1 / Math.sqrt(squares / length + NORM_EPSILON);
      for (let i = 0; i < length; i++)
        normed[from + i] = ((rows[from + i] ?? 0) - mean) * factor * (scale[i] ?? 0) + (bias[i] ?? 0);
    }
  }

  /** Reads each token's query, key and value from `#wide`, and writes the values attended to, to `#normed`. */
  #attend(count: number, length: number): void {
    const headLength = length / HEADS;
    const stride = 3 * length;
    // Scores are computed in eights, and those beyond the last token are not read.
    const columns = Math.ceil(count / PANEL_COLUMNS) * PANEL_COLUMNS;
    const [joined, panel] = [this.#wide.values, this.#kernel.panel.values];
    for (let head = 0; head < length; head += headLength) {
      const keys = length + head;
      const values = 2 * length + head;
      for (let first = 0; first < columns; first += PANEL_COLUMNS) {
        for (let i = 0; i < headLength; i++)
          for (let token = 0; token < PANEL_COLUMNS; token++)
            panel[i * PANEL_COLUMNS + token] = joined[(first + token) * stride + keys + i] ?? 0;
        const to = [this.#scores, first, columns] as const;
        this.#kernel.multiplyByPanel(count, headLength, [this.#wide, head, stride], to);
      }
      this.#weigh(count, columns, 1 / Math.sqrt(headLength));
      for (let first = 0; first < headLength; first += PANEL_COLUMNS) {
        for (let token = 0; token < count; token++)
          for (let i = 0; i < PANEL_COLUMNS; i++)
            panel[token * PANEL_COLUMNS + i] = joined[token * stride + values + first + i] ?? 0;
        const to = [this.#normed, head + first, length] as const;
        this.#kernel.multiplyByPanel(count, count, [this.#scores, 0, columns], to);
      }
    }
  }

  /** Makes the scores of each row weights that sum to 1. */
  #weigh(count: number, columns: number, scale: number): void {
    const scores = this.#scores.values;
    for (let from = 0; from < count * columns; from += columns) {
      let largest = -Infinity;
      for (let i = from; i < from + count; i++) largest = Math.max(largest, scores[i] ?? 0);
      let sum = 0;
      for (let i = from; i < from + count; i++)
        sum += scores[i] = Math.exp(((scores[i] ?? 0) - largest) * scale);
      for (let i = from; i < from + count; i++) scores[i] = (scores[i] ?? 0) / sum;
    }
  }

  #layer(name: string, length: number): Layer {
    return {
      length,
      attentionNorm: this.#norm(`${name}/attention/norm`),
      attention: this.#matrix(`${name}/attention`),
      attended: this.#matrix(`${name}/attended`),
      skip: length === VECTOR_LENGTH ? undefined : this.#matrix(`${name}/skip`),
      widenNorm: this.#norm(`${name}/widen/norm`),
      widen: this.#matrix(`${name}/widen`),
      narrow: this.#matrix(`${name}/narrow`),
    };
  }

  #norm(name: string): Norm {
    return { scale: this.#floats(`${name}/scale`), bias: this.#floats(`${name}/bias`) };
  }

  #matrix(name: string): StoredMatrix {
    const { offset: scales, byteLength } = this.#tensor(`${name}/scale`);
    return {
      at: this.#tensor(name).offset,
      columns: byteLength / Float32Array.BYTES_PER_ELEMENT,
      scales,
      bias: this.#tensor(`${name}/bias`).offset,
    };
  }

  /** Returns a copy, because floats are not aligned in the file. */
  #floats(name: string): Float32Array {
    const { offset, byteLength } = this.#tensor(name);
    return new Float32Array(this.#kernel.memory.slice(offset, offset + byteLength));
  }

  #tensor(name: string): StoredTensor {
    const tensor = this.#tensors.get(name);
    if (!tensor) throw new Error(`The file is not the offline model: it has no tensor ${name}.`);
    return tensor;
  }
}

/** Returns the waves that are added to the embeddings, for each position. */
function timingOf(frequencies: Float32Array): Float32Array[] {
  return Array.from({ length: MAX_TOKENS }, (_, position) => {
    const angles = Array.from(frequencies, (frequency) => Math.fround(position * frequency));
    return Float32Array.from([...angles.map(Math.sin), ...angles.map(Math.cos)]);
  });
}
