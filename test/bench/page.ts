import type { BenchResult } from './bench-result.ts';

declare global {
  interface Window {
    runBench: (name: BenchName) => Promise<BenchResult>;
  }
}

export type BenchName = 'appendTurn' | 'tokenWindow' | 'vectorSearch';

// Loaded one by one, so that a part that does not load leaves the others standing.
window.runBench = async (name) => {
  switch (name) {
    case 'appendTurn':
      return (await import('./append-turn.ts')).benchAppendTurn();
    case 'tokenWindow':
      return (await import('./token-window.ts')).benchTokenWindow();
    case 'vectorSearch':
      return (await import('./vector-search.ts')).benchVectorSearch();
  }
};
