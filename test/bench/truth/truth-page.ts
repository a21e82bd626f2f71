import { scriptedEnds, type EndsPair } from './scripted-ends.ts';
import { createMemory, type CreateMemoryOptions, type Memory } from '../../../src/index.ts';

interface TruthRequest {
  /** Source of the module with the scorers. */
  readonly source: string;
  readonly kind: string;
  readonly cases: readonly unknown[];
  /** What a scripted model says to have ended. @default rules alone */
  readonly model?: 'ended' | 'all';
  /** Further options of the scorer. @default none */
  readonly options?: Readonly<Record<string, unknown>>;
  /** Whether texts are embedded with the offline model. @default false */
  readonly embeds?: boolean;
}

type Scorer = (
  cases: readonly unknown[],
  open: (options: CreateMemoryOptions) => Promise<Memory>,
  options: { log: (...parts: readonly unknown[]) => void; [name: string]: unknown },
) => Promise<unknown>;

declare global {
  interface Window {
    scoreTruth(request: TruthRequest): Promise<{ lines: string[]; score: unknown }>;
  }
}

window.scoreTruth = async ({ source, kind, cases, model, options: settings, embeds = false }) => {
  const url = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
  const scorers = (await import(/* @vite-ignore */ url)) as Record<string, Scorer>;
  const score = scorers[`score${kind}`];
  if (!score) throw new Error(`The module has no score${kind}.`);
  const lines: string[] = [];
  const extractor = model && scriptedEnds(cases as readonly EndsPair[], model);
  const learning = extractor ? { learning: { extractor, delayMs: 0 } } : {};
  const open = (options: CreateMemoryOptions): Promise<Memory> =>
    createMemory({
      ...(embeds ? {} : { embedder: false }),
      assetsUrl: '/mnemora-assets/',
      ...learning,
      ...options,
    });
  const log = (...parts: readonly unknown[]): void => void lines.push(parts.map(String).join(' '));
  return { lines, score: await score(cases, open, { ...settings, log }) };
};
