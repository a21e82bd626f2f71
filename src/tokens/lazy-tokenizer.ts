import { MnemoraError } from '../model/error.ts';
import type { WarningListener } from '../model/warning.ts';
import { approximateTokenizer } from './approximate.ts';
import type { Tokenizer } from './tokenizer.ts';

export interface LazyTokenizerOptions {
  onWarning?: WarningListener | undefined;
  /** Milliseconds that only grow. @default performance.now */
  now?: () => number;
  /** @default tiktokenTokenizer */
  load?: () => Promise<Tokenizer>;
}

/** The tokenizer of callers who name none. */
export interface LazyTokenizer {
  /** The exact tokenizer once it is loaded. */
  readonly loaded: Tokenizer | undefined;
  /** Loads the exact tokenizer; while it cannot be loaded, the approximate one is returned. */
  readonly get: () => Promise<Tokenizer>;
}

/** Not every use waits for a network that has just failed. */
const RETRY_AFTER_MS = 5_000;

/**
 * Loads the exact tokenizer when it is first needed. Where its vocabulary cannot be loaded, the approximate tokenizer
 * counts, a warning says so once, and a use that comes five seconds after the failure tries again.
 */
export function lazyTokenizer({
  onWarning,
  now = () => performance.now(),
  load = loadExact,
}: LazyTokenizerOptions = {}): LazyTokenizer {
  let loaded: Tokenizer | undefined;
  let loading: Promise<Tokenizer> | undefined;
  let failedAt = -Infinity;
  let hasWarned = false;

  async function tryLoading(): Promise<Tokenizer> {
    try {
      loaded = await load();
      return loaded;
    } catch (cause) {
      if (!(cause instanceof MnemoraError)) throw cause;
      failedAt = now();
      if (!hasWarned) {
        hasWarned = true;
        onWarning?.({
          code: 'tokenizer-unavailable',
          message:
            'The vocabulary for counting tokens could not be loaded: counts are estimates that run high, until a later try succeeds.',
          cause,
        });
      }
      return approximateTokenizer();
    } finally {
      loading = undefined;
    }
  }

  return {
    get loaded() {
      return loaded;
    },
    async get() {
      if (loaded) return loaded;
      if (!loading && now() - failedAt < RETRY_AFTER_MS) return approximateTokenizer();
      loading ??= tryLoading();
      return loading;
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

/** A tokenizer that the caller has brought, as one that is loaded already. */
export function loadedTokenizer(tokenizer: Tokenizer): LazyTokenizer {
  return { loaded: tokenizer, get: async () => tokenizer };
}
