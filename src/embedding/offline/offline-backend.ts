import { registerBackend, Tensor, type InferenceSession } from 'onnxruntime-web';
import { SentenceEncoder, VECTOR_LENGTH } from './sentence-encoder.ts';

const NAME = 'mnemora-offline';
/** Below 0, so that ONNX Runtime uses it only where it is asked for by name. */
const PRIORITY = -1;

/**
 * Adds a backend to ONNX Runtime that runs only the offline model, and returns its name. With it, the model needs nothing
 * of the runtime's wasm, which is a fifth of the bytes of a first visit and takes most of the time of loading the model.
 */
export function addOfflineBackend(): string {
  registerBackend(
    NAME,
    {
      init: () => Promise.resolve(),
      createSessionHandler: async (file) => {
        if (typeof file === 'string') throw new Error('The offline model has to be loaded as bytes.');
        return new OfflineSession(new SentenceEncoder(file));
      },
    },
    PRIORITY,
  );
  return NAME;
}

class OfflineSession {
  readonly inputNames = ['input_ids', 'attention_mask'];
  readonly outputNames = ['last_hidden_state'];
  readonly #encoder: SentenceEncoder;

  constructor(encoder: SentenceEncoder) {
    this.#encoder = encoder;
  }

  /** Repeats a text's vector at each of its tokens, as the graph does, so that any pooling returns it. */
  async run(feeds: InferenceSession.OnnxValueMapType): Promise<InferenceSession.OnnxValueMapType> {
    const [ids, mask] = [numbersOf(feeds['input_ids']), numbersOf(feeds['attention_mask'])];
    const [texts = 0, tokens = 0] = feeds['input_ids']?.dims ?? [];
    const states = new Float32Array(texts * tokens * VECTOR_LENGTH);
    for (let first = 0; first < texts * tokens; first += tokens) {
      const read = ids.slice(first, first + tokens).filter((_, index) => mask[first + index] === 1);
      const vector = this.#encoder.encode(read);
      for (let token = first; token < first + tokens; token++) states.set(vector, token * VECTOR_LENGTH);
    }
    return { last_hidden_state: new Tensor('float32', states, [texts, tokens, VECTOR_LENGTH]) };
  }

  dispose(): Promise<void> {
    return Promise.resolve();
  }

  startProfiling(): void {}

  endProfiling(): void {}
}

function numbersOf(tensor: Tensor | undefined): number[] {
  return Array.from(tensor?.data ?? [], Number);
}
