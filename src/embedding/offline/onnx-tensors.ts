/** Where the numbers of a stored tensor are in an ONNX file. */
export interface StoredTensor {
  readonly offset: number;
  readonly byteLength: number;
}

/** A field of a message in protocol buffers' format: its number, and the range of what it contains. */
interface Field {
  readonly number: number;
  readonly start: number;
  readonly end: number;
}

// Numbers of fields in the ONNX format.
const MODEL_GRAPH = 7;
const GRAPH_TENSOR = 5;
const TENSOR_NAME = 8;
const TENSOR_BYTES = 9;

/** Returns the tensors that are stored in an ONNX file, by name. */
export function readOnnxTensors(file: Uint8Array): ReadonlyMap<string, StoredTensor> {
  const tensors = new Map<string, StoredTensor>();
  for (const model of fieldsOf(file, 0, file.length)) {
    if (model.number !== MODEL_GRAPH) continue;
    for (const graph of fieldsOf(file, model.start, model.end)) {
      if (graph.number !== GRAPH_TENSOR) continue;
      const fields = [...fieldsOf(file, graph.start, graph.end)];
      const name = fields.find(({ number }) => number === TENSOR_NAME);
      const bytes = fields.find(({ number }) => number === TENSOR_BYTES);
      if (!name || !bytes) continue;
      const text = new TextDecoder().decode(file.subarray(name.start, name.end));
      tensors.set(text, { offset: bytes.start, byteLength: bytes.end - bytes.start });
    }
  }
  return tensors;
}

function* fieldsOf(file: Uint8Array, start: number, end: number): Generator<Field, void, undefined> {
  let at = start;
  const varint = (): number => {
    let value = 0;
    for (let unit = 1; ; unit *= 128) {
      const byte = file[at] ?? 0;
      at += 1;
      value += (byte & 127) * unit;
      if (byte < 128) return value;
    }
  };
  while (at < end) {
    const key = varint();
    const [number, type] = [key >> 3, key & 7];
    if (type === 0) varint();
    else {
      const length = type === 2 ? varint() : type === 1 ? 8 : 4;
      yield { number, start: at, end: at + length };
      at += length;
    }
  }
}
