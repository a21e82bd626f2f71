import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { convertModel } from '../../../scripts/build-model.ts';

function digests(files: ReadonlyMap<string, Uint8Array>): Record<string, string> {
  return Object.fromEntries(
    [...files].map(([path, content]) => [path, createHash('sha256').update(content).digest('hex')]),
  );
}

it('EMB-17: converting the model twice gives the same bytes', { timeout: 60_000 }, async () => {
  const first = await convertModel();
  const second = await convertModel();
  expect(digests(second)).toEqual(digests(first));
  expect([...first.keys()].sort()).toEqual([
    'LICENSE',
    'NOTICE',
    'config.json',
    'onnx/model_quantized.onnx',
    'tokenizer.json',
    'tokenizer_config.json',
  ]);
  const size = first.get('onnx/model_quantized.onnx')?.length ?? 0;
  expect(size).toBeGreaterThan(7_000_000);
  expect(size).toBeLessThan(7_300_000);
});

it('EMB-17: the converted model includes its license and says that it was changed', async () => {
  const files = await convertModel();
  const text = (path: string): string => new TextDecoder().decode(files.get(path));
  expect(text('LICENSE')).toContain('Apache License');
  expect(text('NOTICE')).toContain('These files were changed.');
});
