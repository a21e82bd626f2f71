import type { Embedder } from '../embedding/embedder.ts';
import type { Extractor } from '../learning/extractor.ts';
import type { LLM } from '../llm/llm.ts';
import { MnemoraError } from '../model/error.ts';
import type { Clock } from '../model/clock.ts';
import type { WarningListener } from '../model/warning.ts';
import { checkBoolean, checkMethods, checkOptionNames } from '../model/check-options.ts';
import type { Analyzer } from '../search/analyzer.ts';
import { engineOf, type MemoryDatabase } from '../sessions/memory-database.ts';
import type { Tokenizer } from '../tokens/tokenizer.ts';

export interface CreateMemoryOptions {
  /**
   * An open database, shared with components: in place of `name` and `history`. `close()` leaves it open. @default one of its own
   */
  database?: MemoryDatabase;
  /** Name of the IndexedDB database. @default 'mnemora' */
  name?: string;
  /** The session to go on with. @default a new one */
  sessionId?: string;
  /**
   * The `name` under which messages of the role `user` are the user's own; one with any other name is another person's, and
   * nothing in it is the user's word. Without a name a message is always the user's. @default none
   */
  userName?: string;
  /** Whose memory it is: sessions of one scope remember each other. @default 'user' */
  scope?: string;
  /**
   * Summarizes and extracts facts in the background; never before `remember` or `recall` has resolved. It is not what
   * answers the user: `withMemory` takes that. @default none: `offlineExtractor()` goes by rules
   */
  llm?: LLM;
  /** What summarizes and extracts, instead of a model with the default prompts; `false` does neither. */
  extractor?: Extractor | false;
  /**
   * Milliseconds to wait for more turns before a model is asked about them, so that quick turns cost one call
   * together. @default 1500
   */
  enrichmentDelayMs?: number;
  /** Begin no background work while the page is hidden. @default false */
  pauseWhenHidden?: boolean;
  /** Begin no background work while the browser is offline. @default false */
  pauseWhenOffline?: boolean;
  /** Predicates of which a subject has one value at a time. @default SINGLE_VALUED_PREDICATES */
  singleValued?: readonly string[];
  /** Makes embeddings; `false` searches by keywords alone. @default the offline model, from `assetsUrl` */
  embedder?: Embedder | false;
  /** Cuts texts into the terms of keyword search. @default the library's own: stems of English, words of any language */
  analyzer?: Analyzer;
  /** Counts the budget. @default tiktoken's o200k_base, loaded when first needed */
  tokenizer?: Tokenizer;
  /** Folder where worker, wasm and model lie. @default the folder of this script */
  assetsUrl?: string;
  /** Tokens of a whole request that `recall` lays out. @default 2000 */
  maxTokens?: number;
  /** Newest turns of the session that are sent as they are, at most. @default 8 */
  recentTurns?: number;
  /**
   * Sentences of the user that help whatever is asked, and are in every context: `maxTokens` of them, and no more than a
   * quarter of the budget; `false` leaves them out. @default { maxTokens: 120 }
   */
  profile?: false | { maxTokens?: number };
  /** @default Date.now */
  clock?: Clock;
  /** `memory` keeps everything in RAM: for tests, and where there is no IndexedDB. @default 'indexeddb' */
  history?: 'indexeddb' | 'memory';
  /** Hears what the `warning` event says, from the first moment on. */
  onWarning?: WarningListener;
}

/** {@link CreateMemoryOptions} checked, with the defaults filled in. */
export interface MemorySettings {
  database: MemoryDatabase | undefined;
  name: string;
  sessionId: string | undefined;
  userName: string | undefined;
  scope: string;
  llm: LLM | undefined;
  extractor: Extractor | false | undefined;
  enrichmentDelayMs: number;
  pauseWhenHidden: boolean;
  pauseWhenOffline: boolean;
  singleValued: readonly string[] | undefined;
  embedder: Embedder | false | undefined;
  analyzer: Analyzer | undefined;
  tokenizer: Tokenizer | undefined;
  assetsUrl: string | undefined;
  maxTokens: number;
  recentTurns: number;
  /** 0 where there is none. */
  profileTokens: number;
  clock: Clock;
  history: 'indexeddb' | 'memory';
  onWarning: WarningListener | undefined;
}

/** @throws MnemoraError `invalid-option` on an unknown option or a value that is not allowed */
export function parseMemoryOptions(options: CreateMemoryOptions): MemorySettings {
  checkOptionNames('createMemory', options, OPTION_NAMES);
  const settings: MemorySettings = {
    database: options.database,
    name: options.name ?? 'mnemora',
    sessionId: options.sessionId,
    userName: options.userName,
    scope: options.scope ?? 'user',
    llm: options.llm,
    extractor: options.extractor,
    enrichmentDelayMs: options.enrichmentDelayMs ?? 1500,
    pauseWhenHidden: checkBoolean('pauseWhenHidden', options.pauseWhenHidden ?? false),
    pauseWhenOffline: checkBoolean('pauseWhenOffline', options.pauseWhenOffline ?? false),
    singleValued: options.singleValued,
    embedder: options.embedder,
    analyzer: options.analyzer,
    tokenizer: options.tokenizer,
    assetsUrl: options.assetsUrl,
    maxTokens: options.maxTokens ?? 2000,
    recentTurns: options.recentTurns ?? 8,
    profileTokens: profileTokens(options.profile),
    clock: options.clock ?? Date.now,
    history: options.history ?? 'indexeddb',
    onWarning: options.onWarning,
  };
  if (options.database !== undefined) {
    engineOf(options.database);
    if (options.name !== undefined || options.history !== undefined)
      throw invalid('Give either database, or name and history: an open database has both.');
  }
  requireText(settings.name, 'name');
  requireText(settings.scope, 'scope');
  if (settings.sessionId !== undefined) requireText(settings.sessionId, 'sessionId');
  if (settings.userName !== undefined) requireText(settings.userName, 'userName');
  requireCount(settings.maxTokens, 'maxTokens', 1);
  requireCount(settings.recentTurns, 'recentTurns', 0);
  requireCount(settings.profileTokens, 'maxTokens of profile', 0);
  if (settings.history !== 'indexeddb' && settings.history !== 'memory') {
    throw invalid(`history must be 'indexeddb' or 'memory'.`);
  }
  const { analyzer, embedder, tokenizer, assetsUrl, llm, extractor } = settings;
  if (llm !== undefined && typeof llm !== 'function') throw invalid('llm must be a function.');
  if (extractor) checkMethods('extractor', extractor, ['summarize', 'extract']);
  else if (extractor !== false && extractor !== undefined)
    throw invalid('extractor must be an extractor or false.');
  if (llm && extractor !== undefined)
    throw invalid('Give either llm or extractor: both would do the same work.');
  requireCount(settings.enrichmentDelayMs, 'enrichmentDelayMs', 0);
  if (embedder) checkMethods('embedder', embedder, ['ready', 'embed', 'close']);
  else if (embedder !== false && embedder !== undefined)
    throw invalid('embedder must be an embedder or false.');
  if (embedder) requireText(embedder.id, 'The id of an embedder');
  if (analyzer !== undefined) checkAnalyzer(analyzer);
  if (tokenizer !== undefined) checkMethods('tokenizer', tokenizer, ['countText', 'countMessage']);
  if (tokenizer !== undefined) requireText(tokenizer.id, 'The id of a tokenizer');
  if (assetsUrl !== undefined) requireText(assetsUrl, 'assetsUrl');
  if (typeof settings.clock !== 'function') throw invalid('clock must be a function.');
  if (settings.onWarning !== undefined && typeof settings.onWarning !== 'function') {
    throw invalid('onWarning must be a function.');
  }
  return settings;
}

const PROFILE_TOKENS = 120;

function profileTokens(profile: CreateMemoryOptions['profile']): number {
  if (profile === false) return 0;
  if (profile !== undefined && (typeof profile !== 'object' || profile === null)) {
    throw invalid('profile must be false or an object, as in { maxTokens: 120 }.');
  }
  checkOptionNames('profile', profile ?? {}, ['maxTokens']);
  return profile?.maxTokens ?? PROFILE_TOKENS;
}

const OPTION_NAMES = [
  'database',
  'name',
  'sessionId',
  'scope',
  'llm',
  'userName',
  'extractor',
  'enrichmentDelayMs',
  'pauseWhenHidden',
  'pauseWhenOffline',
  'singleValued',
  'embedder',
  'analyzer',
  'tokenizer',
  'assetsUrl',
  'maxTokens',
  'recentTurns',
  'profile',
  'clock',
  'history',
  'onWarning',
] as const satisfies readonly (keyof CreateMemoryOptions)[];

/** @throws MnemoraError `invalid-option` unless `value` is a whole number of at least `least` */
export function requireCount(value: number, name: string, least: number): void {
  if (!Number.isSafeInteger(value) || value < least) {
    throw invalid(`${name} must be a whole number of at least ${least}, not ${String(value)}.`);
  }
}

function checkAnalyzer(analyzer: Analyzer): void {
  checkMethods('analyzer', analyzer, ['analyze']);
  requireText(analyzer.id, 'The id of an analyzer');
  const { stopWords } = analyzer;
  if (stopWords !== undefined && !(stopWords instanceof Set)) {
    throw invalid('The stopWords of an analyzer must be a Set.');
  }
}

function requireText(value: unknown, name: string): void {
  if (typeof value !== 'string' || value === '') throw invalid(`${name} must be a string that is not empty.`);
}

function invalid(message: string): MnemoraError {
  return new MnemoraError('invalid-option', message);
}
