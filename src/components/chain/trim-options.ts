import { MnemoraError } from '../../model/error.ts';
import type { ChatMessage, Role } from '../../model/message.ts';
import type { WarningListener } from '../../model/warning.ts';
import type { Tokenizer } from '../../tokens/tokenizer.ts';
import { checkBoolean, checkMethods, checkOptionNames, checkWord } from '../../model/check-options.ts';
import { splitLines } from './cut-message.ts';

/** Tokens of a list of messages. */
export type TokenCounter = (messages: readonly ChatMessage[]) => number | Promise<number>;

/** Cuts a text into pieces that joined give it again. */
export type TextSplitter = (text: string) => readonly string[] | Promise<readonly string[]>;

export interface TrimMessagesOptions {
  /** Most tokens of the result. */
  maxTokens: number;
  /** Counts each message; the sum is compared. Either this or `tokenCounter` is needed. */
  tokenizer?: Tokenizer;
  /** Counts a list, where its count is more than the sum. Must not shrink as the list grows. */
  tokenCounter?: TokenCounter;
  /** Keep the newest messages, or the first. @default 'last' */
  strategy?: 'last' | 'first';
  /** Keep a system message at the head of the list, whatever it costs; with strategy 'last' only. @default false */
  includeSystem?: boolean;
  /** Role, or roles, that the result must begin with, a kept system message aside; with strategy 'last' only. */
  startOn?: Role | readonly Role[];
  /** Role, or roles, that the result must end with. */
  endOn?: Role | readonly Role[];
  /** Keep a part of the message at the edge that does not fit whole. @default false */
  allowPartial?: boolean;
  /** For `allowPartial`. @default lines */
  textSplitter?: TextSplitter;
  /** Hears `over-budget` where a message was kept against the budget, or nothing but the system message could be. */
  onWarning?: WarningListener;
}

/** {@link TrimMessagesOptions}, checked and filled in. */
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

/** @throws MnemoraError `invalid-option` */
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
