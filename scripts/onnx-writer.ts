/** Attributes of a node of the graph. Whole numbers are written as ints, others as floats. */
export type OnnxAttributes = Readonly<Record<string, number | readonly number[]>>;

type TensorData = Float32Array | Int8Array | BigInt64Array;

const IR_VERSION = 8;
const OPSET_VERSION = 17;
const VARINT = 0;
const BYTES = 2;
const FIXED32 = 5;

/** Numbers of the element types in the ONNX format. */
export const ELEMENT = { float: 1, int8: 3, int64: 7 } as const;

/** Builds a graph node by node and writes it as an ONNX file. The same calls give the same bytes. */
export class OnnxGraph {
  readonly #nodes: Uint8Array[] = [];
  readonly #tensors: Uint8Array[] = [];
  readonly #constants = new Map<string, string>();

  /** Adds a stored tensor and returns its name. */
  tensor(name: string, dimensions: readonly number[], data: TensorData): string {
    this.#tensors.push(
      join([
        ...dimensions.map((dimension) => int(1, dimension)),
        int(2, elementType(data)),
        text(8, name),
        bytes(9, new Uint8Array(data.buffer, data.byteOffset, data.byteLength)),
      ]),
    );
    return name;
  }

  /** Adds a small list of whole numbers, which is stored once. */
  ints(values: readonly number[]): string {
    return this.#constant(`ints_${values.join('_')}`, (name) =>
      this.tensor(name, [values.length], BigInt64Array.from(values, BigInt)),
    );
  }

  /** Adds a scalar, which broadcasts to any shape. */
  scalar(value: number): string {
    return this.#constant(`scalar_${value}`, (name) => this.tensor(name, [], Float32Array.of(value)));
  }

  /** Adds a node with one output and returns the output's name. */
  node(
    operator: string,
    inputs: readonly string[],
    attributes: OnnxAttributes = {},
    output?: string,
  ): string {
    const name = output ?? `${operator}_${this.#nodes.length}`;
    this.#add(operator, inputs, attributes, [name]);
    return name;
  }

  /** Adds a node that splits its input into three equal parts along the last axis. */
  splitInThree(input: string): readonly [string, string, string] {
    const stem = `Split_${this.#nodes.length}`;
    const outputs = [`${stem}_0`, `${stem}_1`, `${stem}_2`] as const;
    this.#add('Split', [input], { axis: -1 }, outputs);
    return outputs;
  }

  /** Returns the file. Names in shapes are sizes that are known only when the model runs. */
  write(file: {
    name: string;
    producer: string;
    inputs: readonly OnnxPort[];
    outputs: readonly OnnxPort[];
  }): Uint8Array {
    const graph = [
      ...this.#nodes.map((node) => bytes(1, node)),
      text(2, file.name),
      ...this.#tensors.map((tensor) => bytes(5, tensor)),
      ...file.inputs.map((port) => bytes(11, valueInfo(port))),
      ...file.outputs.map((port) => bytes(12, valueInfo(port))),
    ];
    return join([
      int(1, IR_VERSION),
      text(2, file.producer),
      bytes(7, join(graph)),
      bytes(8, join([text(1, ''), int(2, OPSET_VERSION)])),
    ]);
  }

  #constant(name: string, store: (name: string) => string): string {
    const known = this.#constants.get(name);
    if (known !== undefined) return known;
    this.#constants.set(name, name);
    return store(name);
  }

  #add(
    operator: string,
    inputs: readonly string[],
    attributes: OnnxAttributes,
    outputs: readonly string[],
  ): void {
    this.#nodes.push(
      join([
        ...inputs.map((input) => text(1, input)),
        ...outputs.map((output) => text(2, output)),
        text(3, `${operator}_${this.#nodes.length}`),
        text(4, operator),
        ...Object.entries(attributes).map(([name, value]) => bytes(5, attribute(name, value))),
      ]),
    );
  }
}

/** An input or output of the whole graph. */
export interface OnnxPort {
  name: string;
  element: (typeof ELEMENT)[keyof typeof ELEMENT];
  shape: readonly (number | string)[];
}

function elementType(data: TensorData): number {
  if (data instanceof Float32Array) return ELEMENT.float;
  return data instanceof Int8Array ? ELEMENT.int8 : ELEMENT.int64;
}

function attribute(name: string, value: number | readonly number[]): Uint8Array {
  if (typeof value !== 'number')
    return join([text(1, name), ...value.map((item) => int(8, item)), int(20, 7)]);
  if (Number.isInteger(value)) return join([text(1, name), int(3, value), int(20, 2)]);
  const float = new Uint8Array(Float32Array.of(value).buffer);
  return join([text(1, name), join([key(2, FIXED32), float]), int(20, 1)]);
}

function valueInfo(port: OnnxPort): Uint8Array {
  const sizes = port.shape.map((size) => bytes(1, typeof size === 'number' ? int(1, size) : text(2, size)));
  const tensor = join([int(1, port.element), bytes(2, join(sizes))]);
  return join([text(1, port.name), bytes(2, bytes(1, tensor))]);
}

function int(field: number, value: number): Uint8Array {
  return join([key(field, VARINT), varint(BigInt.asUintN(64, BigInt(value)))]);
}

function text(field: number, value: string): Uint8Array {
  return bytes(field, new TextEncoder().encode(value));
}

function bytes(field: number, value: Uint8Array): Uint8Array {
  return join([key(field, BYTES), varint(BigInt(value.length)), value]);
}

function key(field: number, wireType: number): Uint8Array {
  return varint(BigInt(field * 8 + wireType));
}

function varint(value: bigint): Uint8Array {
  const groups: number[] = [];
  let rest = value;
  while (rest > 127n) {
    groups.push(Number(rest & 127n) | 128);
    rest >>= 7n;
  }
  return Uint8Array.from([...groups, Number(rest)]);
}

function join(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}
