import { MnemoraError } from '../model/error.ts';
import { warnOnce, type WarningListener } from '../model/warning.ts';
import { approximateTokenizer } from './approximate.ts';
import type { Tokenizer } from './tokenizer.ts';

export interface LazyTokenizerOptions {
  /** The caller's own tokenizer, which needs no loading. */
  tokenizer?: Tokenizer | undefined;
  onWarning?: WarningListener | undefined;
  /** Returns a monotonic time in milliseconds. @default performance.now */
  now?: () => number;
  /** Loads the exact tokenizer. @default tiktokenTokenizer */
  load?: () => Promise<Tokenizer>;
}

/** A tokenizer that is loaded on first use. */
export interface LazyTokenizer {
  /** The exact tokenizer; undefined until it is loaded. */
  readonly loaded: Tokenizer | undefined;
  /** Returns the exact tokenizer, or the approximate one while the exact one cannot be loaded. */
  readonly get: () => Promise<Tokenizer>;
  /** Returns the exact tokenizer if it is loaded; otherwise begins to load it and returns the approximate one. */
  readonly atOnce: () => Tokenizer;
}

/** Time after a failed load in which no other load is tried. */
const RETRY_AFTER_MS = 5_000;

/**
 * Returns a tokenizer that is loaded on first use. If its vocabulary cannot be loaded, the approximate tokenizer is used,
 * a warning is sent once, and the first use more than five seconds later tries again.
 */
export function lazyTokenizer({
  tokenizer: loaded,
  onWarning,
  now = () => performance.now(),
  load = loadExact,
}: LazyTokenizerOptions = {}): LazyTokenizer {
  let loading: Promise<Tokenizer> | undefined;
  let failedAt = -Infinity;
  const warn = warnOnce(onWarning);

  async function tryLoading(): Promise<Tokenizer> {
    try {
      loaded = await load();
      return loaded;
    } catch (cause) {
      if (!(cause instanceof MnemoraError)) throw cause;
      failedAt = now();
      warn({
        code: 'tokenizer-unavailable',
        message:
          'The vocabulary for counting tokens could not be loaded. Token counts are overestimates until a later attempt succeeds.',
        cause,
      });
      return approximateTokenizer();
    } finally {
      loading = undefined;
    }
  }

  async function get(): Promise<Tokenizer> {
    if (loaded) return loaded;
    if (!loading && now() - failedAt < RETRY_AFTER_MS) return approximateTokenizer();
    loading ??= tryLoading();
    return loading;
  }

  return {
    get loaded() {
      return loaded;
    },
    get,
    atOnce() {
      if (loaded) return loaded;
      void get();
      return approximateTokenizer();
    },
  };
}

async function loadExact(): Promise<Tokenizer> {
  const tiktoken = await import('./tiktoken.ts').catch((cause: unknown) => {
    throw new MnemoraError(
      'tokenizer-unavailable',
      "The tokenizer could not be loaded. Check that the page's scripts can be reached.",
      { cause },
    );
  });
  return tiktoken.tiktokenTokenizer();
}
