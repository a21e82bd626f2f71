/** Path under which the pages of benchmarks find the models to measure. */
export const MODELS_PATH = '/bench-models/';
