import { rankingSamples } from './ranking-samples.ts';
import { benchRecall } from './recall-quality.ts';

declare global {
  interface Window {
    benchRecall: typeof benchRecall;
    rankingSamples: typeof rankingSamples;
  }
}

window.benchRecall = benchRecall;
window.rankingSamples = rankingSamples;
