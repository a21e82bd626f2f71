import { MnemoraError } from '../../model/error.ts';
import type { ChatMessage, Role } from '../../model/message.ts';
import type { WarningListener } from '../../model/warning.ts';
import type { Tokenizer } from '../../tokens/tokenizer.ts';
import { checkBoolean, checkMethods, checkOptionNames, checkWord } from '../../model/check-options.ts';
import { splitLines } from './cut-message.ts';

/** Returns the number of tokens of a list of messages. */
export type TokenCounter = (messages: readonly ChatMessage[]) => number | Promise<number>;

/** Splits a text into pieces, which must give the text when they are joined. */
export type TextSplitter = (text: string) => readonly string[] | Promise<readonly string[]>;

export interface TrimMessagesOptions {
  /** Maximum number of tokens of the result. */
  maxTokens: number;
  /** Counts each message; the sum is compared with `maxTokens`. Either this or `tokenCounter` is required. */
  tokenizer?: Tokenizer;
  /** Counts a whole list, if its count differs from the sum. The count must not decrease as the list grows. */
  tokenCounter?: TokenCounter;
  /** Whether the newest (`last`) or the oldest (`first`) messages are kept. @default 'last' */
  strategy?: 'last' | 'first';
  /** Whether a system message at the start is kept, regardless of its tokens. Strategy `last` only. @default false */
  includeSystem?: boolean;
  /** Role or roles that the result must begin with, after a system message that is kept. Strategy `last` only. */
  startOn?: Role | readonly Role[];
  /** Role or roles that the result must end with. */
  endOn?: Role | readonly Role[];
  /** Whether a part of a message is kept if the whole message does not fit. @default false */
  allowPartial?: boolean;
  /** Splits messages for `allowPartial`. @default into lines */
  textSplitter?: TextSplitter;
  /** Called with `over-budget` if a message exceeds the budget, or only the system message could be kept. */
  onWarning?: WarningListener;
}

/** Checked {@link TrimMessagesOptions} with their defaults. */
export interface TrimPlan {
  maxTokens: number;
  strategy: 'last' | 'first';
  includeSystem: boolean;
  startOn: readonly Role[] | undefined;
  endOn: readonly Role[] | undefined;
  allowPartial: boolean;
  textSplitter: TextSplitter;
  count(messages: readonly ChatMessage[]): Promise<number>;
}

/** Returns the checked options. @throws MnemoraError `invalid-option` if one is invalid */
export function planTrim(options: TrimMessagesOptions): TrimPlan {
  checkOptionNames('trimMessages', options, OPTION_NAMES);
  const { maxTokens, includeSystem = false, startOn, endOn } = options;
  if (typeof maxTokens !== 'number' || !(maxTokens >= 0)) {
    throw new MnemoraError(
      'invalid-option',
      `maxTokens must be a number that is not negative; got ${String(maxTokens)}.`,
    );
  }
  const strategy = checkWord('strategy', options.strategy ?? 'last', ['last', 'first']);
  if (strategy === 'first' && (startOn !== undefined || includeSystem)) {
    throw new MnemoraError(
      'invalid-option',
      `startOn and includeSystem are only valid with strategy 'last': they say what to keep where the beginning is cut.`,
    );
  }
  return {
    maxTokens,
    strategy,
    includeSystem: checkBoolean('includeSystem', includeSystem),
    startOn: checkRoles('startOn', startOn),
    endOn: checkRoles('endOn', endOn),
    allowPartial: checkBoolean('allowPartial', options.allowPartial ?? false),
    textSplitter: options.textSplitter ?? splitLines,
    count: counterOf(options),
  };
}

const OPTION_NAMES: readonly (keyof TrimMessagesOptions)[] = [
  'maxTokens',
  'tokenizer',
  'tokenCounter',
  'strategy',
  'includeSystem',
  'startOn',
  'endOn',
  'allowPartial',
  'textSplitter',
  'onWarning',
];

const ROLES: readonly Role[] = ['system', 'user', 'assistant', 'tool'];

function checkRoles(name: string, value: Role | readonly Role[] | undefined): readonly Role[] | undefined {
  if (value === undefined) return undefined;
  const roles: readonly unknown[] = Array.isArray(value) ? value : [value];
  return roles.map((role) => checkWord(name, role, ROLES));
}

function counterOf({ tokenizer, tokenCounter }: TrimMessagesOptions): TrimPlan['count'] {
  if (typeof tokenCounter === 'function' && tokenizer === undefined) {
    return async (messages) => tokenCounter(messages);
  }
  if (tokenizer === undefined || tokenCounter !== undefined) {
    throw new MnemoraError(
      'invalid-option',
      'trimMessages needs a tokenizer or a tokenCounter, and only one of them.',
    );
  }
  checkMethods('tokenizer', tokenizer, ['countMessage']);
  const counts = new WeakMap<ChatMessage, number>();
  const countOnce = (message: ChatMessage): number => {
    const count = counts.get(message) ?? tokenizer.countMessage(message);
    counts.set(message, count);
    return count;
  };
  return async (messages) => messages.reduce((sum, message) => sum + countOnce(message), 0);
}
