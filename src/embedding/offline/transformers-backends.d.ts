declare module '@xenova/transformers/src/backends/onnx.js' {
  /** Names of the backends of ONNX Runtime that are tried for each model, in this order. */
  export const executionProviders: string[];
}
