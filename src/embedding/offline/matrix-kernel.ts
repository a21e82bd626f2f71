import multiplyWat from './multiply.wat';

/** Floats in the memory of a kernel, with their address. */
export interface Floats {
  readonly at: number;
  readonly values: Float32Array<ArrayBuffer>;
}

/** Addresses of an int8 matrix with a scale for each column, and of what is added to a product with it. */
export interface StoredMatrix {
  readonly at: number;
  readonly columns: number;
  readonly scales: number;
  readonly bias: number;
}

/** Columns that are multiplied at once, see `multiply.wat`. The columns of a matrix are a multiple of it. */
export const PANEL_COLUMNS = 8;

const FLOAT_BYTES = Float32Array.BYTES_PER_ELEMENT;
const PAGE_BYTES = 65_536;

/** See `multiply.wat`. */
interface Exports {
  unpack(from: number, stride: number, scales: number, panel: number, panelEnd: number): void;
  multiply(
    from: number,
    stride: number,
    panel: number,
    panelEnd: number,
    bias: number,
    to: number,
    toStride: number,
    toEnd: number,
  ): void;
}

/** Multiplies rows of floats by matrices. Its memory contains a file, whose matrices are read where they are. */
export class MatrixKernel {
  /** The file, at address 0, and the reserved floats after it. */
  readonly memory: ArrayBuffer;
  /** The right matrix of {@link multiplyByPanel}, a panel of eight columns: one row after the other. */
  readonly panel: Floats;
  readonly #exports: Exports;
  readonly #zeros: Floats;
  #end: number;

  /**
   * @param file is copied
   * @param longest rows of the largest matrix
   * @param floats number of floats that can be reserved
   */
  constructor(file: Uint8Array, longest: number, floats: number) {
    const panel = longest * PANEL_COLUMNS;
    this.#end = Math.ceil(file.length / FLOAT_BYTES) * FLOAT_BYTES;
    const bytes = this.#end + (panel + PANEL_COLUMNS + floats) * FLOAT_BYTES;
    const memory = new WebAssembly.Memory({ initial: Math.ceil(bytes / PAGE_BYTES) });
    const module = new WebAssembly.Module(
      Uint8Array.from(atob(multiplyWat), (character) => character.charCodeAt(0)),
    );
    const { exports } = new WebAssembly.Instance(module, { kernel: { memory } });
    this.#exports = exports as unknown as Exports;
    this.memory = memory.buffer;
    new Uint8Array(this.memory).set(file);
    this.panel = this.reserve(panel);
    this.#zeros = this.reserve(PANEL_COLUMNS);
  }

  /** Returns floats for rows that are read or written. Rows are multiplied in fours, so reserve a multiple of four. */
  reserve(length: number): Floats {
    const at = this.#end;
    this.#end += length * FLOAT_BYTES;
    return { at, values: new Float32Array(this.memory, at, length) };
  }

  /** Multiplies rows of `length` floats by a matrix of the file and adds its bias. */
  multiplyByStored(count: number, length: number, from: Floats, matrix: StoredMatrix, to: Floats): void {
    const { at: panel } = this.panel;
    const panelEnd = panel + length * PANEL_COLUMNS * FLOAT_BYTES;
    const toStride = matrix.columns * FLOAT_BYTES;
    const toEnd = to.at + count * toStride;
    for (let column = 0; column < matrix.columns; column += PANEL_COLUMNS) {
      const offset = column * FLOAT_BYTES;
      this.#exports.unpack(matrix.at + column, matrix.columns, matrix.scales + offset, panel, panelEnd);
      this.#exports.multiply(
        from.at,
        length * FLOAT_BYTES,
        panel,
        panelEnd,
        matrix.bias + offset,
        to.at + offset,
        toStride,
        toEnd,
      );
    }
  }

  /**
   * Multiplies rows of `length` floats by the panel and writes the products to eight columns of `to`.
   *
   * @param from floats with the index of the first row, and floats from one row to the next
   * @param to floats with the index of the first product, and floats from one row to the next
   */
  multiplyByPanel(
    count: number,
    length: number,
    from: readonly [floats: Floats, first: number, stride: number],
    to: readonly [floats: Floats, first: number, stride: number],
  ): void {
    const panelEnd = this.panel.at + length * PANEL_COLUMNS * FLOAT_BYTES;
    const [toAt, toStride] = [to[0].at + to[1] * FLOAT_BYTES, to[2] * FLOAT_BYTES];
    this.#exports.multiply(
      from[0].at + from[1] * FLOAT_BYTES,
      from[2] * FLOAT_BYTES,
      this.panel.at,
      panelEnd,
      this.#zeros.at,
      toAt,
      toStride,
      toAt + count * toStride,
    );
  }
}
