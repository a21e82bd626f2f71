import { describe, expect, it, onTestFinished } from 'vitest';
import { PROTOCOL_VERSION } from '../../../src/embedding/protocol.ts';
import { createMemory, transformersEmbedder, type Embedder, type Warning } from '../../../src/index.ts';
import { newId } from '../../../src/model/id.ts';
import { eventually } from '../../fixtures/eventually.ts';

const ASSETS = new URL('/mnemora-assets/', location.origin).href;

function scriptUrl(script: string): string {
  const url = URL.createObjectURL(new Blob([script], { type: 'text/javascript' }));
  onTestFinished(() => URL.revokeObjectURL(url));
  return url;
}

/** The real worker after a script has changed its global scope. */
function afterScript(
  script: string,
  options: { model?: string; modelBaseUrl?: string; assetsUrl?: string } = {},
): Embedder {
  const both = `import ${JSON.stringify(scriptUrl(script))}; import ${JSON.stringify(`${ASSETS}embedding-worker.js`)};`;
  const embedder = transformersEmbedder({
    assetsUrl: ASSETS,
    ...options,
    worker: () => new Worker(scriptUrl(both), { type: 'module' }),
  });
  onTestFinished(() => embedder.close());
  return embedder;
}

/** Answers as the worker does: the vector of a text is its length, and a search finds everything. */
const GOOD = `
  const load = () => { postMessage({ type: 'started', version: ${PROTOCOL_VERSION} }); postMessage({ type: 'loaded', dimensions: 1 }); };
  const embed = ({ batch, texts }) => postMessage({ type: 'embedded', batch, vectors: texts.map((text) => Float32Array.of(text.length)) });
  const ids = [];
  const find = ({ search }) => postMessage({ type: 'vectors-found', search, hits: ids.map((id) => ({ id, score: 1 })) });
  onmessage = ({ data }) => {
    if (data.type === 'load') load();
    if (data.type === 'embed') embed(data);
    if (data.type === 'vectors-add') ids.push(...data.batch.ids);
    if (data.type === 'vectors-search') find(data);
  };`;

const FAULTS: readonly (readonly [string, string])[] = [
  ['is silent from the start', ''],
  [
    'is silent after it has loaded',
    `${GOOD} onmessage = ({ data }) => { if (data.type === 'load') load(); };`,
  ],
  ['ends before its first message', 'close();'],
  [
    'sends malformed messages',
    `${GOOD} onmessage = ({ data }) => { if (data.type === 'load') load(); else postMessage({ type: 'embedded', vectors: 7 }); };`,
  ],
  [
    'throws',
    `${GOOD} onmessage = ({ data }) => { if (data.type === 'load') load(); else throw new Error('broken'); };`,
  ],
];

describe('a memory whose worker fails', () => {
  it.each(FAULTS)('EMB-42: when it %s, keywords answer, and a later worker embeds', async (_, fault) => {
    const warnings: Warning[] = [];
    const embedder = transformersEmbedder({
      assetsUrl: ASSETS,
      timeoutMs: 1_000,
      worker: () => new Worker(scriptUrl(warnings.length === 0 ? fault : GOOD)),
    });
    onTestFinished(() => embedder.close());
    const onWarning = (warning: Warning): void => void warnings.push(warning);
    const memory = await createMemory({
      name: newId(),
      learning: false,
      recentTurns: 0,
      embedder,
      onWarning,
    });
    onTestFinished(() => memory.close());
    await memory.remember({ user: 'My dog is called Max.', assistant: 'Nice.' });
    await memory.work.settled();
    expect(warnings.map(({ code }) => code)).toContain('model-unavailable');
    expect((await memory.search('dog')).length).toBeGreaterThan(0);
    expect((await memory.recall('What is my dog called?')).items.length).toBeGreaterThan(0);
    expect((await memory.explain('What is my dog called?')).length).toBeGreaterThan(0);
    await eventually(async () => {
      await memory.work.settled();
      const [best] = await memory.search('dog');
      expect(best?.why).toHaveProperty('vector');
    });
  });
});

/** Serves a file with one more byte, which does not change what JSON means. */
const altered = (path: string, servedFrom = ''): string => `
  const { fetch } = self;
  self.fetch = async (input, init) => {
    const url = String(input.url ?? input);
    const source = ${JSON.stringify(servedFrom)} === '' ? url : url.replace(${JSON.stringify(servedFrom)}, ${JSON.stringify(`${ASSETS}models/`)});
    const response = await fetch(source, init);
    if (!url.endsWith(${JSON.stringify(path)})) return response;
    const { headers } = response;
    return new Response(new Blob([await response.arrayBuffer(), ' ']), { headers: { 'content-type': headers.get('content-type') } });
  };`;

it.each([
  // The runtime's wasm is loaded for other models than the offline one.
  ['ort-wasm-simd.wasm', { model: 'models/use-lite', modelBaseUrl: ASSETS }],
  ['models/use-lite/config.json', {}],
  ['models/use-lite/tokenizer.json', {}],
  ['models/use-lite/onnx/model_quantized.onnx', {}],
  // A query gets past a cache of an older version.
  ['models/use-lite/config.json', { assetsUrl: `${ASSETS}?v=2` }],
  ['models/use-lite/config.json', { assetsUrl: `${ASSETS}./#v=2` }],
])('EMB-43: another content of %s is refused, naming the file and what to do', async (path, options) => {
  await expect(afterScript(altered(path), options).ready()).rejects.toMatchObject({
    code: 'model-unavailable',
    message: expect.stringMatching(
      new RegExp(`${path.replaceAll('.', '\\.')} is not the file .*npx mnemora assets`),
    ),
  });
});

it('EMB-43: a model that the caller serves elsewhere is not checked', async () => {
  const own = new URL('/own-models/', location.origin).href;
  const embedder = afterScript(altered('tokenizer.json', own), { modelBaseUrl: own });
  expect(await embedder.ready()).toEqual({ dimensions: 512 });
});

it('EMB-72: another model under the name of the offline one is run by ONNX Runtime', async () => {
  const own = new URL('/own-models/', location.origin).href;
  const script = `
    const { fetch } = self;
    self.fetch = async (input, init) => {
      const url = String(input.url ?? input);
      const response = await fetch(url.replace(${JSON.stringify(own)}, ${JSON.stringify(`${ASSETS}models/`)}), init);
      if (!url.endsWith('.onnx')) return response;
      // A tensor with another name: a valid model, but not the offline one.
      const file = new Uint8Array(await response.arrayBuffer());
      const text = new TextDecoder('latin1').decode(file);
      for (const { index } of text.matchAll(/head\\/bias/g)) file[index] = 72;
      return new Response(file, response);
    };`;
  const [[vector], [expected]] = await Promise.all([
    afterScript(script, { modelBaseUrl: own }).embed(['My dog is called Max.']),
    afterScript('').embed(['My dog is called Max.']),
  ]);
  expect(vector).not.toEqual(expected);
  vector?.forEach((value, index) => expect(value).toBeCloseTo(expected?.[index] ?? 0, 5));
});

it.each([
  ['without WebCrypto', 'delete Crypto.prototype.subtle;', () => 'subtle' in crypto],
  ['without Web Locks', 'delete WorkerNavigator.prototype.locks;', () => 'locks' in navigator],
  [
    'where Web Locks are refused',
    "LockManager.prototype.request = () => Promise.reject(new DOMException('refused', 'SecurityError'));",
    () => 'locks' in navigator,
  ],
  [
    'without Cache Storage',
    'delete WorkerGlobalScope.prototype.caches; delete self.caches;',
    () => 'caches' in self,
  ],
])('EMB-44 EMB-45: %s in the worker, the model is loaded and embeds', async (_, script, isPresentHere) => {
  expect(isPresentHere()).toBe(true);
  const [vector] = await afterScript(script).embed(['My dog is called Max.']);
  expect(Math.hypot(...(vector ?? []))).toBeCloseTo(1, 4);
});

it('EMB-44: a wrong file is refused without WebCrypto, too', async () => {
  const script = `delete Crypto.prototype.subtle; ${altered('config.json')}`;
  await expect(afterScript(script).ready()).rejects.toThrow('config.json is not the file');
});

it('EMB-45: without WebAssembly in the worker, the model is unavailable', async () => {
  await expect(afterScript('delete self.WebAssembly;').ready()).rejects.toMatchObject({
    code: 'model-unavailable',
    message: expect.stringMatching(/WebAssembly|backend/),
  });
});
