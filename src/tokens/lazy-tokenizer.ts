import { MnemoraError } from '../model/error.ts';
import { warnOnce, type WarningListener } from '../model/warning.ts';
import { approximateTokenizer } from './approximate.ts';
import { tiktokenTokenizer } from './tiktoken.ts';
import type { Tokenizer } from './tokenizer.ts';

/**
 * The tokenizer of those who name none: the real one, loaded when it is first needed. Where its vocabulary cannot be
 * loaded the approximate one counts, with one warning, until a later try succeeds.
 */
export function lazyTokenizer(onWarning: WarningListener | undefined): () => Promise<Tokenizer> {
  const warn = warnOnce(onWarning);
  return async () => {
    try {
      return await tiktokenTokenizer();
    } catch (cause) {
      if (!(cause instanceof MnemoraError)) throw cause;
      warn({
        code: 'tokenizer-unavailable',
        message:
          'The vocabulary for counting tokens could not be loaded: counts are estimated, on the high side.',
        cause,
      });
      return approximateTokenizer();
    }
  };
}
