import { benchRecall } from './recall-quality.ts';

declare global {
  interface Window {
    benchRecall: typeof benchRecall;
  }
}

window.benchRecall = benchRecall;
