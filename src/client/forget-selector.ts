import { MnemoraError } from '../model/error.ts';
import type { ForgetSelector } from '../storage/transcript-store.ts';

/** Checks what is to be forgotten: one key only, so that a slip of the pen erases nothing. @throws MnemoraError `invalid-input` */
export function parseForgetSelector(selector: ForgetSelector): ForgetSelector {
  const entries = Object.entries(selector ?? {}) as [string, unknown][];
  const [only] = entries;
  if (!only || entries.length !== 1) throw invalid('Say what to forget with exactly one of');
  const [key, value] = only;
  switch (key) {
    case 'messageId':
    case 'turnId':
    case 'sessionId':
      if (typeof value === 'string' && value !== '') return selector;
      throw invalid(`${key} must be an id. Say what to forget with one of`);
    case 'before':
      if (typeof value === 'number' && !Number.isNaN(value)) return selector;
      throw invalid('before must be a time in milliseconds since 1970. Say what to forget with one of');
    case 'everything':
      if (value === true) return selector;
      throw invalid('everything must be true. Say what to forget with one of');
    default:
      throw invalid(`"${key}" cannot be forgotten. Say what to forget with one of`);
  }
}

function invalid(message: string): MnemoraError {
  return new MnemoraError('invalid-input', `${message} messageId, turnId, sessionId, before, everything.`);
}
