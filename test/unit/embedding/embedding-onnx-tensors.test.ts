import { expect, it } from 'vitest';
import { ELEMENT, OnnxGraph } from '../../../scripts/onnx-writer.ts';
import { readOnnxTensors } from '../../../src/embedding/offline/onnx-tensors.ts';

it('EMB-73: the tensors of an ONNX file are found by their names', () => {
  const graph = new OnnxGraph();
  graph.tensor('bytes', [2, 3], Int8Array.of(1, -2, 3, -4, 5, -6));
  graph.tensor(
    'long',
    [300],
    Int8Array.from({ length: 300 }, (_, index) => index % 100),
  );
  graph.tensor('floats', [2], Float32Array.of(0.5, -1.5));
  graph.node('Add', ['x', 'floats'], {}, 'y');
  const port = { element: ELEMENT.float, shape: ['batch', 2] };
  const file = graph.write({
    name: 'graph',
    producer: 'test',
    inputs: [{ name: 'x', ...port }],
    outputs: [{ name: 'y', ...port }],
  });
  const tensors = readOnnxTensors(file);
  const bytesOf = (name: string): ArrayBuffer => {
    const { offset = 0, byteLength = 0 } = tensors.get(name) ?? {};
    return file.slice(offset, offset + byteLength).buffer;
  };
  expect([...tensors.keys()]).toEqual(['bytes', 'long', 'floats']);
  expect([...new Int8Array(bytesOf('bytes'))]).toEqual([1, -2, 3, -4, 5, -6]);
  expect(new Int8Array(bytesOf('long'))[299]).toBe(99);
  expect([...new Float32Array(bytesOf('floats'))]).toEqual([0.5, -1.5]);
});

it('EMB-73: a file without a graph has no tensors', () => {
  expect(readOnnxTensors(new Uint8Array()).size).toBe(0);
});
