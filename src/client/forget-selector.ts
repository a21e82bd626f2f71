import { MnemoraError } from '../model/error.ts';

/**
 * What to forget. With an entity goes all that was derived and names it; the turns stay, unless `turns` says that those
 * which told of it, and all in which one of its names stands, go as well. `before` is a time in milliseconds: every turn begun earlier goes.
 */
export type ForgetSelector =
  | { messageId: string }
  | { turnId: string }
  | { sessionId: string }
  | { before: number }
  | { everything: true }
  | { entity: string; turns?: boolean }
  | { factId: string };

/** Checks what is to be forgotten: one key only, so that a slip of the pen erases nothing. @throws MnemoraError `invalid-input` */
export function parseForgetSelector(selector: ForgetSelector): ForgetSelector {
  const { turns, ...rest } = (selector ?? {}) as Record<string, unknown>;
  const entries = Object.entries(rest);
  const [only] = entries;
  if (!only || entries.length !== 1) throw invalid('Say what to forget with exactly one of');
  const [key, value] = only;
  if (turns !== undefined && (key !== 'entity' || typeof turns !== 'boolean')) {
    throw invalid('turns goes with entity, and is true or false. Say what to forget with one of');
  }
  switch (key) {
    case 'messageId':
    case 'turnId':
    case 'sessionId':
    case 'factId':
      if (typeof value === 'string' && value !== '') return selector;
      throw invalid(`${key} must be an id. Say what to forget with one of`);
    case 'entity':
      if (typeof value === 'string' && value.trim() !== '') return selector;
      throw invalid('entity must be a name. Say what to forget with one of');
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
  return new MnemoraError(
    'invalid-input',
    `${message} messageId, turnId, sessionId, entity, factId, before, everything.`,
  );
}
