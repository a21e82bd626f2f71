import { env, pipeline, type FeatureExtractionPipeline } from '@xenova/transformers';

// A worker that does nothing but run the pipeline: what embedding costs without this library.
interface Asked {
  assetsUrl?: string;
  texts?: readonly string[];
}

let extract: FeatureExtractionPipeline | undefined;

globalThis.onmessage = async ({ data }: MessageEvent<Asked>): Promise<void> => {
  if (data.assetsUrl !== undefined) {
    env.allowRemoteModels = false;
    env.allowLocalModels = true;
    env.useBrowserCache = false;
    env.localModelPath = new URL('models/', data.assetsUrl).href;
    env.backends.onnx.wasm.wasmPaths = data.assetsUrl;
    env.backends.onnx.wasm.numThreads = 1;
    extract = await pipeline('feature-extraction', 'use-lite', { quantized: true });
  }
  const vectors: Float32Array[] = [];
  for (const text of data.texts ?? []) {
    const output = await extract?.(text, { pooling: 'mean', normalize: true });
    vectors.push(Float32Array.from(output?.data as Float32Array));
  }
  (globalThis as unknown as Worker).postMessage(vectors);
};
