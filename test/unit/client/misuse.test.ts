import { afterAll, beforeAll, expect, it } from 'vitest';
import { createMemory, tiktokenTokenizer, type Memory } from '../../../src/index.ts';

/** A usage as somebody writes it, and the error: its code and its message. */
const MISUSES: readonly (readonly [usage: string, error: string])[] = [
  [
    "createMemory({ llm: () => 'x' })",
    'invalid-option: llm is an option of learning: createMemory({ learning: { llm } }).',
  ],
  [
    "createMemory({ history: 'memory' })",
    'invalid-option: createMemory has no option history. Its options are database, name, sessionId, scope, userName, redact, learning, singleValued, embedder, analyzer, tokenizer, assetsUrl, maxTokens, recentTurns, profile, clock, storage, onWarning.',
  ],
  [
    "createMemory({ storage: 'ram' })",
    "invalid-option: storage must be one of indexeddb, memory; got the string 'ram'.",
  ],
  [
    "createMemory('mnemora')",
    "invalid-option: The options of createMemory must be an object; got the string 'mnemora'.",
  ],
  [
    "createMemory({ maxTokens: '1000' })",
    "invalid-option: maxTokens must be a whole number of at least 1; got the string '1000'.",
  ],
  [
    'createMemory({ learning: true })',
    'invalid-option: The options of learning must be an object; got true.',
  ],
  [
    "createMemory({ learning: { llm: 'gpt-4' } })",
    "invalid-option: llm of learning must be a model: a function, such as the one that fetchLLM({ url, model }) returns; got the string 'gpt-4'.",
  ],
  [
    "createMemory({ singleValued: 'lives in' })",
    'invalid-option: singleValued must be a list of predicates.',
  ],
  ['createMemory({ singleValued: null })', 'invalid-option: singleValued must be a list of predicates.'],
  [
    "createMemory({ singleValued: ['lives in', 5] })",
    'invalid-option: singleValued must contain only strings.',
  ],
  [
    "createMemory({ singleValued: ['* and *'] })",
    'invalid-option: singleValued contains "* and *"; each of its wordings must be a predicate with at most one *.',
  ],
  [
    "createMemory({ embedder: 'all-MiniLM-L6-v2' })",
    'invalid-option: embedder must have the methods ready, embed, close; got a string.',
  ],
  [
    "createMemory({ embedder: { id: 'own', ready() {}, embed() {}, close() {}, rankingWeight: -1 } })",
    'invalid-option: The rankingWeight of an embedder must be a number from 0; got -1.',
  ],
  [
    'createMemory({ tokenizer: tiktokenTokenizer() })',
    'invalid-option: tokenizer must have the methods countText, countMessage; got a promise, which must be awaited.',
  ],
  ['createMemory({ redact: true })', "invalid-option: redact must be 'secrets' or a function; got true."],
  [
    'createMemory({ profile: true })',
    'invalid-option: profile must be false or an object, as in { maxTokens: 120 }; got true.',
  ],
  [
    "createMemory({ name: '' })",
    "invalid-option: name must be a string of 1 to 1000 characters; got the string ''.",
  ],
  [
    "createMemory({ database: 'mnemora' })",
    'invalid-option: database must be a database returned by `await openDatabase()`; got a string.',
  ],
  [
    'createMemory()',
    "storage-unavailable: IndexedDB is not available here. Call this in a browser, or pass storage: 'memory'.",
  ],
  [
    'memory.session()',
    'invalid-input: A session id must be a string of 1 to 1000 characters; got undefined.',
  ],
  [
    "memory.remember('I live in Graz')",
    "invalid-input: A turn must be { user, assistant } or { messages }; got a string. Write remember({ user: '…', assistant: '…' }).",
  ],
  [
    "memory.remember('a', 'b')",
    "invalid-input: A turn must be { user, assistant } or { messages }; got a string. Write remember({ user: '…', assistant: '…' }).",
  ],
  [
    "memory.remember({ user: 'a' })",
    "invalid-input: A turn must be { user, assistant } or { messages }; got an object with user. Write remember({ user: '…', assistant: '…' }).",
  ],
  [
    "memory.remember({ role: 'user', content: 'a' })",
    "invalid-input: A turn must be { user, assistant } or { messages }; got an object with role, content. Write remember({ user: '…', assistant: '…' }).",
  ],
  [
    "memory.remember([{ role: 'user', content: 'a' }])",
    "invalid-input: A turn must be { user, assistant } or { messages }; got an array. Write remember({ user: '…', assistant: '…' }).",
  ],
  [
    "memory.remember({ user: 'a', assistant: 5 })",
    'invalid-input: user and assistant must be strings; got a string and a number.',
  ],
  [
    "memory.remember({ user: 'a', assistant: 'b' }, 'monday')",
    "invalid-option: The options of remember must be an object; got the string 'monday'.",
  ],
  [
    "memory.remember({ user: 'a', assistant: 'b' }, { session: 'monday' })",
    'invalid-option: remember has no option session. Its options are turnId, sessionId, createdAt, metadata, state, continues, replaces, signal.',
  ],
  [
    "memory.remember({ user: 'a', assistant: 'b' }, { state: 'done' })",
    "invalid-input: state must be one of pending, complete, failed, cancelled; got the string 'done'.",
  ],
  [
    "memory.remember({ user: 'a', assistant: 'b' }, { createdAt: '2026-01-01' })",
    "invalid-input: createdAt must be a time in milliseconds since 1970, not the string '2026-01-01'. Nothing was changed.",
  ],
  [
    "memory.remember({ user: 'a', assistant: 'b' }, { metadata: 'tag' })",
    'invalid-input: metadata must be an object; got a string.',
  ],
  ["memory.remember({ messages: 'hi' })", 'invalid-message: Messages must be an array, not a string.'],
  [
    "memory.remember({ messages: [{ role: 'human', content: 'a' }] })",
    "invalid-message: Message 0: A message's role must be system, user, assistant or tool, not the string 'human'.",
  ],
  [
    "memory.remember({ messages: ['hi'] })",
    'invalid-message: Message 0: A message must be an object, not a string.',
  ],
  [
    'memory.recall()',
    'invalid-input: The input must be a string of at most 2000000 characters; got undefined.',
  ],
  [
    "memory.recall({ query: 'x' })",
    'invalid-input: The input must be a string of at most 2000000 characters; got an object with query. Pass the text alone, not in an object or array.',
  ],
  [
    "memory.recall('x', { maxTokens: '1000' })",
    "invalid-option: maxTokens must be a whole number of at least 1; got the string '1000'.",
  ],
  [
    "memory.recall('x', { maxToken: 1000 })",
    'invalid-option: recall has no option maxToken. Its options are system, maxTokens, sessionId, knownAt, conversation, summary, turnId, replaces, minRelevance, rerank, signal.',
  ],
  [
    "memory.recall('x', { minRelevance: 5 })",
    'invalid-option: minRelevance must be a number from 0 to 1; got 5.',
  ],
  [
    "memory.recall('x', { signal: 'stop' })",
    'invalid-input: The signal given to recall must be an AbortSignal; got a string.',
  ],
  [
    "memory.search(['x'])",
    'invalid-input: A query must be a string of at most 2000000 characters; got an array. Pass the text alone, not in an object or array.',
  ],
  [
    "memory.search('x', { k: 5 })",
    'invalid-option: search has no option k. Its options are limit, sessionId, from, to, role, metadata, rerank, signal.',
  ],
  [
    "memory.search('x', { limit: '5' })",
    "invalid-input: limit must be a whole number of at least 0; got the string '5'.",
  ],
  [
    "memory.search('x', { from: new Date(0) })",
    'invalid-input: from must be a time in milliseconds since 1970; got a value of type Date.',
  ],
  [
    "memory.search('x', { role: 'system' })",
    "invalid-input: role must be one of user, assistant; got the string 'system'.",
  ],
  [
    "memory.history('monday')",
    "invalid-option: The options of history must be an object; got the string 'monday'.",
  ],
  ['memory.intent()', 'invalid-input: The text must be a string; got undefined.'],
  [
    "memory.forget('Sam')",
    'invalid-input: Say what to forget with exactly one of messageId, turnId, sessionId, entity, text, factId, claimId, before, everything.',
  ],
  [
    "memory.forget({ turn: 't' })",
    'invalid-input: "turn" cannot be forgotten. Say what to forget with one of messageId, turnId, sessionId, entity, text, factId, claimId, before, everything.',
  ],
  [
    "memory.forget({ entity: 'Zaphod' })",
    'not-found: No stored data contains "Zaphod". Nothing was changed.',
  ],
  [
    "memory.facts.list('me')",
    "invalid-option: facts.list takes an object. Write facts.list({ about: 'me' }).",
  ],
  [
    "memory.facts.list({ about: ['me'] })",
    'invalid-option: The name of an entity must be a string of 1 to 1000 characters; got an array.',
  ],
  [
    "memory.facts.list({ includeUnconfirmed: 'yes' })",
    "invalid-option: includeUnconfirmed must be true or false; got the string 'yes'.",
  ],
  [
    "memory.facts.correct('f', {})",
    'invalid-input: Pass at least one field to correct: subject, predicate, object, validFrom, validTo.',
  ],
  [
    "memory.facts.correct('f', { object: 'Graz' })",
    'not-found: There is no fact with the id "f". Nothing was changed.',
  ],
  [
    "memory.facts.correct('f', { value: 'Graz' })",
    'invalid-option: facts.correct has no option value. Its options are subject, predicate, object, validFrom, validTo.',
  ],
  ["memory.facts.pin('f')", 'not-found: There is no fact with the id "f". Nothing was changed.'],
  [
    "memory.review.accept('f')",
    'not-found: No fact or claim with the id "f" is waiting for review. Nothing was changed.',
  ],
  [
    "memory.backup.import('{}')",
    'invalid-input: A backup must be a Blob or a File; got a string. Wrap a text in new Blob([text]).',
  ],
  [
    "memory.backup.export('secret')",
    "invalid-option: The options of backup.export must be an object; got the string 'secret'.",
  ],
  [
    'memory.backup.export({ passphrase: 5 })',
    'invalid-option: passphrase must be a string that is not empty.',
  ],
  ['memory.backup.auto({ everyMs: 1000 })', 'invalid-option: write must be a function; got undefined.'],
  ["memory.work.retry('1')", 'not-found: There is no job 1; it may be finished.'],
  ['memory.work.settled(1000)', 'invalid-option: The options of work.settled must be an object; got 1000.'],
  [
    "memory.records('')",
    "invalid-option: The namespace of records must be a string of 1 to 1000 characters; got the string ''.",
  ],
  [
    "memory.addEventListener('typo', () => undefined)",
    "invalid-option: The type of an event must be one of change, progress, warning, recall, job, error; got the string 'typo'.",
  ],
  ["memory.addEventListener('change')", 'invalid-option: The listener must be a function; got undefined.'],
];

let memory: Memory;
let before: string;

/** All that is stored, without the first line, which has the time of the export. */
async function stored(): Promise<string> {
  return (await (await memory.backup.export()).text()).split('\n').slice(1).join('\n');
}

beforeAll(async () => {
  memory = await createMemory({ storage: 'memory', embedder: false, learning: false });
  await memory.remember({ user: 'My name is Ada.', assistant: 'Hello.' });
  before = await stored();
});

afterAll(() => memory.close());

it.each(MISUSES)('MEM-60: %s is refused, told, and changes nothing', async (usage, error) => {
  expect(await errorOf(usage)).toBe(error);
  expect(await stored()).toBe(before);
});

async function errorOf(usage: string): Promise<string> {
  try {
    // The usages are text, so that they are checked as they stand, and types that would refuse them stay out of the way.
    // oxlint-disable-next-line typescript/no-implied-eval
    const run = new Function(
      ...Object.keys({ createMemory, tiktokenTokenizer, memory }),
      `return ${usage}`,
    ) as (...values: unknown[]) => unknown;
    await run(...Object.values({ createMemory, tiktokenTokenizer, memory }));
    return 'accepted';
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    return `${code}: ${message}`;
  }
}
