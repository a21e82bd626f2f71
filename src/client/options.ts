import type { Embedder } from '../embedding/embedder.ts';
import type { Extractor } from '../learning/extractor.ts';
import type { LLM } from '../llm/llm.ts';
import {
  checkBoolean,
  checkFunction,
  checkMethods,
  checkName,
  checkOptionNames,
  checkOptions,
  objectWith,
  type OptionCheck,
  type OptionChecks,
} from '../model/check-options.ts';
import type { Clock } from '../model/clock.ts';
import { MnemoraError } from '../model/error.ts';
import type { WarningListener } from '../model/warning.ts';
import type { Analyzer } from '../search/analyzer.ts';
import { engineOf, type MemoryDatabase } from '../sessions/memory-database.ts';
import type { Tokenizer } from '../tokens/tokenizer.ts';
import type { Redact } from './redact-messages.ts';

export interface CreateMemoryOptions {
  /**
   * An open database, shared with components, instead of `name` and `history`. `close()` leaves it open.
   *
   * @default one of its own
   */
  database?: MemoryDatabase;
  /** Name of the IndexedDB database. @default 'mnemora' */
  name?: string;
  /** The session to go on with. @default a new one */
  sessionId?: string;
  /**
   * The `name` of the user's own messages. A message of the role `user` with any other name is another person's, and
   * nothing in it is the user's word. A message without a name is always the user's.
   *
   * @default none
   */
  userName?: string;
  /** Whose memory it is: sessions of one scope remember each other. @default 'user' */
  scope?: string;
  /**
   * Summarizes and extracts facts in the background; never before `remember` or `recall` has resolved. The model that
   * answers the user is given to `withMemory` instead.
   *
   * @default none: `offlineExtractor()` goes by rules
   */
  llm?: LLM;
  /** Summarizes and extracts instead of a model with the default prompts; `false` does neither. */
  extractor?: Extractor | false;
  /**
   * Milliseconds to wait for more turns before a model is asked about them, so that quick turns cost one call
   * together. @default 1500
   */
  enrichmentDelayMs?: number;
  /** Starts no background work while the page is hidden. @default false */
  pauseWhenHidden?: boolean;
  /** Starts no background work while the browser is offline. @default false */
  pauseWhenOffline?: boolean;
  /** Predicates that have one value at a time for each subject. @default SINGLE_VALUED_PREDICATES */
  singleValued?: readonly string[];
  /** Makes embeddings; `false` searches by keywords alone. @default the offline model, from `assetsUrl` */
  embedder?: Embedder | false;
  /** Splits texts into the terms of keyword search. @default the library's own: stems of English, words of any language */
  analyzer?: Analyzer;
  /** Counts the budget. @default tiktoken's o200k_base, loaded when first needed */
  tokenizer?: Tokenizer;
  /** Folder of worker, wasm and model. @default the folder of this script */
  assetsUrl?: string;
  /** Tokens of a whole request that `recall` lays out. @default 2000 */
  maxTokens?: number;
  /** Maximum number of the session's newest turns that are sent as they are. @default 8 */
  recentTurns?: number;
  /**
   * Sentences of the user that help with any question and are in every context: at most `maxTokens`, and a quarter of
   * the budget; `false` leaves them out.
   *
   * @default { maxTokens: 120 }
   */
  profile?: false | { maxTokens?: number };
  /**
   * Is applied to every text of a message before anything is stored, indexed, embedded, learned from or made a title:
   * `'secrets'` puts `[secret]` in place of what looks like one (see `redactSecrets` of `mnemora/extract`); a function of
   * your own replaces what it likes. It must return the same for the same text, so that a turn that is
   * remembered again is recognized. If it throws or returns anything but a string (a promise, too), nothing is stored
   * and `remember` rejects with `redact-failed`.
   *
   * The texts of an integration's records are stored that way, too. What is sent is not changed: neither the input of `recall` and `withMemory` nor the answer. Metadata is stored as
   * the page gives it, and a backup is imported as it is. @default none
   */
  redact?: 'secrets' | Redact;
  /** @default Date.now */
  clock?: Clock;
  /** `memory` keeps everything in RAM: for tests, and where there is no IndexedDB. @default 'indexeddb' */
  history?: 'indexeddb' | 'memory';
  /** Called for every warning, including those raised while opening. */
  onWarning?: WarningListener;
}

/** {@link CreateMemoryOptions} checked, with the defaults filled in. */
export interface MemorySettings extends Omit<CreateMemoryOptions, 'profile'> {
  name: string;
  scope: string;
  enrichmentDelayMs: number;
  pauseWhenHidden: boolean;
  pauseWhenOffline: boolean;
  maxTokens: number;
  recentTurns: number;
  clock: Clock;
  history: 'indexeddb' | 'memory';
  /** 0 without a profile. */
  profileTokens: number;
}

/** @throws MnemoraError `invalid-option` on an unknown option or a value that is not allowed */
export function parseMemoryOptions(options: CreateMemoryOptions): MemorySettings {
  checkOptionNames('createMemory', options, Object.keys(CHECKS));
  const { database, name, history, llm, extractor, profile } = options;
  const settings = {
    ...options,
    name: name ?? 'mnemora',
    scope: options.scope ?? 'user',
    enrichmentDelayMs: options.enrichmentDelayMs ?? 1500,
    pauseWhenHidden: options.pauseWhenHidden ?? false,
    pauseWhenOffline: options.pauseWhenOffline ?? false,
    maxTokens: options.maxTokens ?? 2000,
    recentTurns: options.recentTurns ?? 8,
    clock: options.clock ?? Date.now,
    history: history ?? 'indexeddb',
  };
  checkOptions<CreateMemoryOptions>('createMemory', settings, CHECKS);
  if (database !== undefined && (name !== undefined || history !== undefined)) {
    throw invalid('Give either database, or name and history: an open database has both.');
  }
  if (llm && extractor !== undefined) {
    throw invalid('Give either llm or extractor: both would do the same work.');
  }
  return { ...settings, profileTokens: profile === false ? 0 : (profile?.maxTokens ?? PROFILE_TOKENS) };
}

const PROFILE_TOKENS = 120;

const CHECKS: OptionChecks<CreateMemoryOptions> = {
  database: (_name, value) => engineOf(value as MemoryDatabase),
  name: checkName,
  sessionId: checkName,
  scope: checkName,
  llm: checkFunction,
  userName: checkName,
  redact: checkRedact,
  extractor: falseOr(objectWith('summarize', 'extract')),
  enrichmentDelayMs: wholeNumberFrom(0),
  pauseWhenHidden: checkBoolean,
  pauseWhenOffline: checkBoolean,
  singleValued: () => undefined,
  embedder: falseOr(partWithId('an embedder', 'ready', 'embed', 'close')),
  analyzer: (name, value) => {
    partWithId('an analyzer', 'analyze')(name, value);
    const { stopWords } = value as Analyzer;
    if (stopWords === undefined || stopWords instanceof Set) return;
    throw invalid('The stopWords of an analyzer must be a Set.');
  },
  tokenizer: partWithId('a tokenizer', 'countText', 'countMessage'),
  assetsUrl: checkName,
  maxTokens: wholeNumberFrom(1),
  recentTurns: wholeNumberFrom(0),
  profile: (_name, value) => {
    if (value === false) return;
    if (typeof value !== 'object' || value === null) {
      throw invalid('profile must be false or an object, as in { maxTokens: 120 }.');
    }
    checkOptionNames('profile', value, ['maxTokens']);
    const { maxTokens } = value as { maxTokens?: number };
    wholeNumberFrom(0)('maxTokens of profile', maxTokens ?? PROFILE_TOKENS);
  },
  clock: checkFunction,
  history: (_name, value) => {
    if (value !== 'indexeddb' && value !== 'memory')
      throw invalid(`history must be 'indexeddb' or 'memory'.`);
  },
  onWarning: checkFunction,
};

/** Returns a check for a whole number of at least `least`. */
export function wholeNumberFrom(least: number): OptionCheck {
  return (name, value) => {
    if (Number.isSafeInteger(value) && Number(value) >= least) return;
    throw invalid(`${name} must be a whole number of at least ${least}, not ${String(value)}.`);
  };
}

function falseOr(check: OptionCheck): OptionCheck {
  return (name, value) => {
    if (value === false) return;
    if (!value) throw invalid(`${name} must be an ${name} or false.`);
    check(name, value);
  };
}

/** Returns a check for an object that has an id and all these methods. */
function partWithId(what: string, ...methods: readonly string[]): OptionCheck {
  return (name, value) => {
    const { id } = checkMethods<{ id?: unknown }>(name, value as object, methods);
    checkName(`The id of ${what}`, id);
  };
}

function checkRedact(name: string, value: unknown): void {
  if (value !== 'secrets' && typeof value !== 'function')
    throw invalid(`${name} must be 'secrets' or a function.`);
}

function invalid(message: string): MnemoraError {
  return new MnemoraError('invalid-option', message);
}
