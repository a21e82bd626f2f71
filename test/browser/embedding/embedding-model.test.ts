import { afterAll, expect, it } from 'vitest';
import reference from '../../fixtures/data/use-lite-reference.json' with { type: 'json' };
import type { LoadProgress } from '../../../src/embedding/embedder.ts';
import {
  transformersEmbedder,
  type TransformersEmbedderOptions,
} from '../../../src/embedding/transformers-embedder.ts';

const ASSETS = new URL('/mnemora-assets/', location.origin).href;
const LEAST_COSINE = 0.998;

/** The offline model under an id as the hub has them, so that ONNX Runtime's own wasm runs it. */
const BY_RUNTIME = { model: 'models/use-lite', modelBaseUrl: ASSETS };
const WASM = `${ASSETS}ort-wasm-simd.wasm`;

const embedder = transformersEmbedder({ assetsUrl: ASSETS });
afterAll(() => embedder.close());

function cosine(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let dot = 0;
  let aa = 0;
  let bb = 0;
  for (let i = 0; i < a.length; i++) {
    dot += (a[i] ?? 0) * (b[i] ?? 0);
    aa += (a[i] ?? 0) ** 2;
    bb += (b[i] ?? 0) ** 2;
  }
  return dot / Math.sqrt(aa * bb);
}

it("EMB-1: the offline model gives the original's vectors, one text at a time", async () => {
  expect(await embedder.ready()).toEqual({ dimensions: 512 });
  expect(reference.length).toBe(20);
  const alone = transformersEmbedder({ assetsUrl: ASSETS, cacheSize: 0 });
  for (const { text, embedding } of reference) {
    const [vector] = await alone.embed([text]);
    expect(cosine(vector ?? [], embedding), text).toBeGreaterThan(LEAST_COSINE);
  }
  await alone.close();
});

it("EMB-1 EMB-2: the offline model gives the original's vectors for many texts, in order and of unit length", async () => {
  const vectors = await embedder.embed(reference.map(({ text }) => text));
  expect(vectors.length).toBe(reference.length);
  for (const [index, { text, embedding }] of reference.entries()) {
    const vector = vectors[index] ?? new Float32Array();
    expect(vector).toBeInstanceOf(Float32Array);
    expect(vector.length).toBe(512);
    expect(cosine(vector, embedding), text).toBeGreaterThan(LEAST_COSINE);
    expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
  }
});

it('EMB-21: the numbers of a vector do not depend on the other texts of the batch', async () => {
  const [among] = await embedder.embed([
    'My dog is called Max.',
    'x',
    'A much longer sentence about the sea.',
  ]);
  const other = transformersEmbedder({ assetsUrl: ASSETS, batchSize: 1 });
  const [alone] = await other.embed(['My dog is called Max.']);
  expect(alone).toEqual(among);
  await other.close();
});

it('EMB-15: a query to the offline model is embedded as a statement', async () => {
  const [question] = await embedder.embed(['What is my dog called?'], { kind: 'query' });
  const [statement, document] = await embedder.embed(['What is my dog called.', 'What is my dog called?']);
  expect(question).toEqual(statement);
  expect(question).not.toEqual(document);
});

it('EMB-1: texts with the same meaning are closer than others', async () => {
  const [a, b, c] = await embedder.embed([
    'The meeting was cancelled.',
    'The meeting was called off.',
    'My cat likes fish.',
  ]);
  expect(cosine(a ?? [], b ?? [])).toBeGreaterThan(cosine(a ?? [], c ?? []) + 0.3);
});

it('EMB-6: loading reports the progress of each file, to the option and to the caller', async () => {
  const ofOption: LoadProgress[] = [];
  const ofCaller: LoadProgress[] = [];
  const fresh = transformersEmbedder({
    assetsUrl: ASSETS,
    onProgress: (progress) => ofOption.push(progress),
  });
  await fresh.ready({ onProgress: (progress) => ofCaller.push(progress) });
  expect(ofCaller).toEqual(ofOption);
  const files = new Set(ofCaller.map(({ file }) => file));
  expect([...files].sort()).toEqual([
    'config.json',
    'onnx/model_quantized.onnx',
    'tokenizer.json',
    'tokenizer_config.json',
  ]);
  for (const file of files) {
    const size = (await (await fetch(`${ASSETS}models/use-lite/${file}`)).arrayBuffer()).byteLength;
    const steps = ofCaller.filter((progress) => progress.file === file);
    const loaded = steps.map(({ loadedBytes }) => loadedBytes);
    expect(loaded).toEqual([...loaded].sort((a, b) => a - b));
    expect(steps.at(-1)).toEqual({ file, loadedBytes: size, totalBytes: size });
    for (const { totalBytes } of steps) expect([undefined, size]).toContain(totalBytes);
  }
  const before = ofOption.length;
  await fresh.ready();
  expect(ofOption.length).toBe(before);
  await fresh.close();
});

/** Embeds a text and returns the addresses that the worker has asked for. */
async function requestsOf(options: TransformersEmbedderOptions = {}): Promise<string[]> {
  const channel = new BroadcastChannel(crypto.randomUUID());
  const log = `
    const channel = new BroadcastChannel(${JSON.stringify(channel.name)});
    const asked = [];
    const { fetch } = self;
    self.fetch = (input, init) => { asked.push(new URL(input.url ?? input, ${JSON.stringify(ASSETS)}).href); return fetch(input, init); };
    self.XMLHttpRequest = undefined; self.WebSocket = undefined; self.importScripts = undefined;
    channel.onmessage = () =>
      channel.postMessage([...asked, ...performance.getEntriesByType('resource').map((entry) => entry.name)]);`;
  const logUrl = URL.createObjectURL(new Blob([log], { type: 'text/javascript' }));
  const script = `import ${JSON.stringify(logUrl)}; import ${JSON.stringify(`${ASSETS}embedding-worker.js`)};`;
  const worker = URL.createObjectURL(new Blob([script], { type: 'text/javascript' }));
  const spied = transformersEmbedder({
    ...options,
    assetsUrl: ASSETS,
    worker: () => new Worker(worker, { type: 'module' }),
  });
  await spied.embed(['Nothing leaves.']);
  const addresses = await new Promise<string[]>((resolve) => {
    channel.onmessage = ({ data }: MessageEvent<string[]>): void => resolve(data);
    channel.postMessage('report');
  });
  await spied.close();
  channel.close();
  return addresses.filter((address) => !address.startsWith('blob:'));
}

it.each([
  ['the offline model', {}],
  ['another model', BY_RUNTIME],
])('EMB-12: the worker and %s make no request to another origin', async (_, options) => {
  const addresses = await requestsOf(options);
  expect(addresses).toContain(`${ASSETS}models/use-lite/onnx/model_quantized.onnx`);
  expect(addresses.filter((address) => !address.startsWith(location.origin))).toEqual([]);
});

it('EMB-72: the offline model works without the wasm of ONNX Runtime, and another model loads it', async () => {
  expect(await requestsOf()).not.toContain(WASM);
  expect(await requestsOf(BY_RUNTIME)).toContain(WASM);
});

it('EMB-72: the offline model gives the vectors that ONNX Runtime computes from its file', async () => {
  const words = reference.flatMap(({ text }) => text.split(' '));
  const lengths = [1, 2, 3, 4, 5, 8, 9, 13, 21, 34, 60, 90, 110, 127, 200];
  const texts = ['a', ...lengths.map((length) => words.slice(0, length).join(' '))];
  const byRuntime = transformersEmbedder({ ...BY_RUNTIME, assetsUrl: ASSETS });
  const [vectors, expected] = await Promise.all([embedder.embed(texts), byRuntime.embed(texts)]);
  for (const [index, text] of texts.entries())
    expect(cosine(vectors[index] ?? [], expected[index] ?? []), text).toBeGreaterThan(0.999999);
  await byRuntime.close();
});

it('EMB-12: the worker runs under a policy that forbids eval and other origins', async () => {
  const response = await fetch(`${ASSETS}embedding-worker.js`);
  const policy = response.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toContain("'unsafe-eval'");
  expect(await response.text()).not.toMatch(/\bnew Function\b|[^\w.]eval\(/);
});

it('EMB-10: another model loads from its base URL, and a missing one rejects', async () => {
  const other = transformersEmbedder({ ...BY_RUNTIME, assetsUrl: ASSETS });
  expect(other.id).toBe('models/use-lite/int8/mean');
  const [vector] = await other.embed([reference[0]?.text ?? '']);
  expect(cosine(vector ?? [], reference[0]?.embedding ?? [])).toBeGreaterThan(LEAST_COSINE);
  await other.close();

  const missing = transformersEmbedder({ assetsUrl: ASSETS, model: 'no/model', modelBaseUrl: ASSETS });
  await expect(missing.ready()).rejects.toMatchObject({ code: 'model-unavailable' });
  await expect(missing.embed(['a'])).rejects.toMatchObject({ code: 'model-unavailable' });
  await missing.close();
});

it('EMB-19: the worker starts under Trusted Types', async () => {
  const frame = document.createElement('iframe');
  const source = new URL('/src/embedding/transformers-embedder.ts', location.origin).href;
  const answer = new Promise<unknown>((resolve) => {
    addEventListener('message', ({ data }) => 'embedded' in Object(data) && resolve(data));
  });
  frame.srcdoc = `
    <meta http-equiv="Content-Security-Policy" content="require-trusted-types-for 'script'; trusted-types mnemora">
    <script type="module">
      let plain = 'allowed';
      try { new Worker('data:text/javascript,'); } catch { plain = 'refused'; }
      let embedded;
      try {
        const { transformersEmbedder } = await import(${JSON.stringify(source)});
        const [vector] = await transformersEmbedder({ assetsUrl: ${JSON.stringify(ASSETS)} }).embed(['a']);
        embedded = vector.length;
      } catch (error) { embedded = String(error) + error.cause; }
      parent.postMessage({ plain, embedded }, '*');
    </script>`;
  document.body.append(frame);
  expect(await answer).toEqual({ plain: 'refused', embedded: 512 });
  frame.remove();
});
