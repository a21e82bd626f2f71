import type { Embedder } from '../embedding/embedder.ts';
import type { Extractor } from '../learning/extractor.ts';
import { checkLLM, type LLM } from '../llm/llm.ts';
import {
  checkBoolean,
  checkFunction,
  checkName,
  checkOptions,
  objectWith,
  oneOf,
  wholeNumber,
  anything,
  mustBe,
  orFalse,
  type OptionCheck,
  type OptionChecks,
} from '../model/check-options.ts';
import type { Clock } from '../model/clock.ts';
import { invalidOption as invalid } from '../model/error.ts';
import { isRecord } from '../model/is-record.ts';
import type { WarningListener } from '../model/warning.ts';
import type { Analyzer } from '../search/analyzer.ts';
import { engineOf, type MemoryDatabase } from '../sessions/memory-database.ts';
import type { Redact } from '../sessions/redact-messages.ts';
import type { Tokenizer } from '../tokens/tokenizer.ts';

/** How a memory learns from turns in the background. */
export interface LearningOptions {
  /**
   * A model that extracts facts and summarizes. Rules (`offlineExtractor()`) read each turn before it does, so that what
   * they find is known at once, and while the model cannot be reached. The model that answers the user is passed to
   * `withMemory`.
   *
   * @default none; facts are then extracted by rules (`offlineExtractor()`)
   */
  llm?: LLM;
  /** Extracts facts and summarizes, instead of rules and a model with the default prompts. @default none */
  extractor?: Extractor;
  /**
   * Milliseconds to wait for more turns before learning from one, so that a quick exchange of turns costs one call of the
   * model. @default 1500
   */
  delayMs?: number;
  /** Whether no background work starts while the page is hidden. @default false */
  pauseWhenHidden?: boolean;
  /** Whether no background work starts while the browser is offline. @default false */
  pauseWhenOffline?: boolean;
}

export interface CreateMemoryOptions {
  /**
   * An open database, shared with components, instead of `name` and `storage`. `close()` leaves it open.
   *
   * @default one of its own
   */
  database?: MemoryDatabase;
  /** Name of the IndexedDB database. @default 'mnemora' */
  name?: string;
  /** Storage of everything: `memory` is RAM, for tests and where there is no IndexedDB. @default 'indexeddb' */
  storage?: 'indexeddb' | 'memory';
  /** Id of the session to continue. @default a new one */
  sessionId?: string;
  /**
   * The `name` of the user's own messages. A message of the role `user` with any other name is another person's and
   * does not count as a claim of the user. A message without a name is always the user's.
   *
   * @default none
   */
  userName?: string;
  /** Owner of the memory, such as a user. Sessions in the same scope share what they remember. @default 'user' */
  scope?: string;
  /**
   * Configures how facts are learned and summaries are made. Both happen in the background; `remember` and `recall`
   * never wait for them. `false` disables both.
   *
   * @default facts are extracted by rules (`offlineExtractor()`)
   */
  learning?: false | LearningOptions;
  /** Predicates that have one value at a time for each subject. @default SINGLE_VALUED_PREDICATES */
  singleValued?: readonly string[];
  /** Makes embeddings. With `false`, only keyword search is used. @default the offline model, from `assetsUrl` */
  embedder?: Embedder | false;
  /** Splits texts into the terms of keyword search. @default the library's own: stems of English, words of any language */
  analyzer?: Analyzer;
  /** Counts the tokens of the budget. @default tiktoken's o200k_base, loaded when the memory is created */
  tokenizer?: Tokenizer;
  /** URL of the folder that contains the workers, WebAssembly and model. @default the folder of this script */
  assetsUrl?: string;
  /** Maximum tokens of a whole request that `recall` returns. @default 2000 */
  maxTokens?: number;
  /** Maximum number of the session's newest turns that are sent verbatim. @default 8 */
  recentTurns?: number;
  /**
   * Limits the profile (the user's sentences that every context includes) to `maxTokens` and a quarter of the budget.
   * `false` disables the profile.
   *
   * @default { maxTokens: 120 }
   */
  profile?: false | { maxTokens?: number };
  /**
   * Applied to every text of a message before it is stored, indexed, embedded, learned from or used as a title.
   * `'secrets'` replaces text that looks like a secret with `[secret]` (see `redactSecrets` of `mnemora/extract`); a
   * custom function may replace any text. It must be deterministic, so that a repeated turn is recognized. If it throws
   * or returns anything but a string (including a promise), nothing is stored and `remember` rejects with
   * `redact-failed`.
   *
   * It is also applied to the texts of an integration's records. What is sent is not changed: neither the input of
   * `recall` and `withMemory` nor the answer. Metadata is stored as the page gives it, and a backup is imported as it
   * is. @default none
   */
  redact?: 'secrets' | Redact;
  /**
   * Returns the time, in milliseconds since 1970, that is stored with turns, facts and records. Background work is
   * scheduled by the system clock. @default Date.now
   */
  clock?: Clock;
  /** Called for every warning, including those raised while opening. */
  onWarning?: WarningListener;
}

/** {@link CreateMemoryOptions} checked, with the defaults filled in. */
export interface MemorySettings extends Omit<CreateMemoryOptions, 'profile'> {
  name: string;
  scope: string;
  learning: false | LearningOptions;
  maxTokens: number;
  recentTurns: number;
  clock: Clock;
  storage: 'indexeddb' | 'memory';
  /** 0 without a profile. */
  profileTokens: number;
}

/** @throws MnemoraError `invalid-option` on an unknown option or a value that is not allowed */
export function parseMemoryOptions(options: CreateMemoryOptions): MemorySettings {
  const learns = Object.keys(Object(options)).find((name) => Object.hasOwn(LEARNING_CHECKS, name));
  if (learns) throw invalid(`${learns} is an option of learning: createMemory({ learning: { ${learns} } }).`);
  checkOptions<CreateMemoryOptions>('createMemory', options, CHECKS);
  const { database, name, storage, learning = {}, profile } = options;
  if (database !== undefined && (name !== undefined || storage !== undefined)) {
    throw invalid(
      'Pass either database, or name and storage, but not both: an open database has a name and a storage.',
    );
  }
  if (learning && learning.llm && learning.extractor) {
    throw invalid('Pass either llm or extractor in learning, but not both: they do the same work.');
  }
  return {
    ...options,
    name: name ?? 'mnemora',
    scope: options.scope ?? 'user',
    learning,
    maxTokens: options.maxTokens ?? 2000,
    recentTurns: options.recentTurns ?? 8,
    clock: options.clock ?? Date.now,
    storage: storage ?? 'indexeddb',
    profileTokens: profile === false ? 0 : (profile?.maxTokens ?? PROFILE_TOKENS),
  };
}

const PROFILE_TOKENS = 120;

const LEARNING_CHECKS: OptionChecks<LearningOptions> = {
  llm: (_name, value) => checkLLM('llm of learning', value),
  extractor: objectWith('summarize', 'extract'),
  delayMs: wholeNumber(0),
  pauseWhenHidden: checkBoolean,
  pauseWhenOffline: checkBoolean,
};

const isSetOrUnset = mustBe('a Set', (value) => value === undefined || value instanceof Set);
const isWeight = mustBe(
  'a number from 0',
  (value) => typeof value === 'number' && value >= 0 && value < Infinity,
);
const isProfile = mustBe('false or an object, as in { maxTokens: 120 }', isRecord);

const CHECKS: OptionChecks<CreateMemoryOptions> = {
  database: (_name, value) => engineOf(value as MemoryDatabase),
  name: checkName,
  sessionId: checkName,
  scope: checkName,
  userName: checkName,
  redact: mustBe("'secrets' or a function", (value) => value === 'secrets' || typeof value === 'function'),
  learning: orFalse((name, value) => checkOptions(name, value as LearningOptions, LEARNING_CHECKS)),
  singleValued: anything, // checked by `createMemory`, with code that most pages need later
  embedder: orFalse((name, value) => {
    partWithId('an embedder', 'ready', 'embed', 'close')(name, value);
    isWeight('The rankingWeight of an embedder', (value as Embedder).rankingWeight ?? 1);
  }),
  analyzer: (name, value) => {
    partWithId('an analyzer', 'analyze')(name, value);
    const { stopWords } = value as Analyzer;
    isSetOrUnset('The stopWords of an analyzer', stopWords);
  },
  tokenizer: partWithId('a tokenizer', 'countText', 'countMessage'),
  assetsUrl: checkName,
  maxTokens: wholeNumber(1),
  recentTurns: wholeNumber(0),
  profile: orFalse((name, value) => {
    isProfile(name, value);
    return checkOptions(name, value as object, {
      maxTokens: (_, limit: unknown) => wholeNumber(0)('maxTokens of profile', limit),
    });
  }),
  clock: checkFunction,
  storage: oneOf('indexeddb', 'memory'),
  onWarning: checkFunction,
};

/** Returns a check for an object that has an id and all these methods. */
function partWithId(what: string, ...methods: readonly string[]): OptionCheck {
  return (name, value) => {
    const { id } = objectWith<{ id?: unknown }>(...methods)(name, value);
    checkName(`The id of ${what}`, id);
  };
}
