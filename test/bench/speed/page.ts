import type { BenchResult } from './bench-result.ts';
import type { LongTextCalls } from './long-texts.ts';

declare global {
  interface Window {
    runBench: (bench: Bench) => Promise<BenchResult>;
  }
}

/** A part of the bench, and its size where it has several. */
export type Bench =
  | { name: 'vectorSearch' | 'learnedTurns'; size: number; assetsUrl: string }
  | { name: 'coldOpen' | 'firstQuestion'; size: number }
  | { name: 'appendTurn' | 'tokenWindow' | 'tokens' | 'largeGraph' }
  | { name: 'embedding' | 'longTasks'; assetsUrl: string; bareWorkerUrl: string }
  | { name: 'longTexts'; calls: LongTextCalls; texts?: readonly string[] };

// Loaded one by one, so that a part that fails to load does not affect the others.
window.runBench = async (bench) => {
  switch (bench.name) {
    case 'vectorSearch':
      return (await import('./vector-search.ts')).benchVectorSearch(bench.size, bench.assetsUrl);
    case 'learnedTurns':
      return (await import('./learned-turns.ts')).benchLearnedTurns(bench.size, bench.assetsUrl);
    case 'coldOpen':
      return (await import('./cold-open.ts')).benchColdOpen(bench.size);
    case 'firstQuestion':
      return (await import('./first-question.ts')).benchFirstQuestion(bench.size);
    case 'appendTurn':
      return (await import('./append-turn.ts')).benchAppendTurn();
    case 'tokenWindow':
      return (await import('./token-window.ts')).benchTokenWindow();
    case 'tokens':
      return (await import('./tokens.ts')).benchTokens();
    case 'largeGraph':
      return (await import('./large-graph.ts')).benchLargeGraph();
    case 'embedding':
      return (await import('./embedding.ts')).benchEmbedding(bench.assetsUrl, bench.bareWorkerUrl);
    case 'longTasks':
      return (await import('./long-tasks.ts')).benchLongTasks(bench.assetsUrl);
    case 'longTexts':
      return (await import('./long-texts.ts')).benchLongTexts(bench.calls, bench.texts);
  }
};
