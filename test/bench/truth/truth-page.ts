import { createMemory, type CreateMemoryOptions, type Memory } from '../../../src/index.ts';

interface TruthRequest {
  /** Source of the module with the scorers. */
  readonly source: string;
  readonly kind: string;
  readonly cases: readonly unknown[];
}

type Scorer = (
  cases: readonly unknown[],
  open: (options: CreateMemoryOptions) => Promise<Memory>,
  options: { log: (...parts: readonly unknown[]) => void },
) => Promise<unknown>;

declare global {
  interface Window {
    scoreTruth(request: TruthRequest): Promise<{ lines: string[]; score: unknown }>;
  }
}

window.scoreTruth = async ({ source, kind, cases }) => {
  const url = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
  const scorers = (await import(/* @vite-ignore */ url)) as Record<string, Scorer>;
  const score = scorers[`score${kind}`];
  if (!score) throw new Error(`The module has no score${kind}.`);
  const lines: string[] = [];
  const open = (options: CreateMemoryOptions): Promise<Memory> =>
    createMemory({ embedder: false, assetsUrl: '/mnemora-assets/', ...options });
  const log = (...parts: readonly unknown[]): void => void lines.push(parts.map(String).join(' '));
  return { lines, score: await score(cases, open, { log }) };
};
