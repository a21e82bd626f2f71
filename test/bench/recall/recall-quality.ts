import { benchEmbedder } from '../bench-embedder.ts';
import { createMemory, tiktokenTokenizer, type Memory, type Embedder } from '../../../src/index.ts';
import { VectorIndex } from '../../../src/search.ts';
import { noiseTokens } from '../context/asked-contexts.ts';
import type { Conversation, Turn } from './locomo.ts';
import { BUDGETS, DEPTH, type Answer } from './recall-scores.ts';

export type SearchMode = 'lexical' | 'dense' | 'fused';

export interface RecallRun {
  answers: Answer[];
  /** One a question. */
  queryMs: number[];
  /** From the first turn stored to the last one found by its meaning; 0 without a model. */
  embeddingMs: number;
  /** Tokens that were recalled for each unrelated question. */
  noise: number[];
}

const DAY_MS = 86_400_000;
/** Tokens of a context for an unrelated question. */
const UNRELATED_BUDGET = 1000;

let embedder: Embedder | undefined;

/** Stores the conversations, asks their questions and the unrelated ones, and returns what was found. */
export async function benchRecall(
  mode: SearchMode,
  conversations: readonly Conversation[],
  assetsUrl: string,
  unrelated: readonly string[],
): Promise<RecallRun> {
  embedder ??= benchEmbedder(assetsUrl);
  const run: RecallRun = { answers: [], queryMs: [], embeddingMs: 0, noise: [] };
  for (const conversation of conversations) {
    if (mode === 'dense') await askVectors(conversation, embedder, run);
    else await askMemory(conversation, mode === 'fused' ? embedder : false, run, unrelated);
  }
  return run;
}

/** Each conversation in a scope of its own, each of its sessions in a session, each turn as one message with its name. */
async function askMemory(
  { id, turns, questions }: Conversation,
  used: Embedder | false,
  run: RecallRun,
  unrelated: readonly string[],
): Promise<void> {
  const asked = Math.max(...turns.map((turn) => turn.createdAt)) + DAY_MS;
  const userName = turns.find(({ role }) => role === 'user')?.speaker;
  const memory = await createMemory({
    ...(userName === undefined ? {} : { userName }),
    name: `bench-recall-${used ? 'fused' : 'lexical'}`,
    scope: id,
    embedder: used,
    clock: () => asked,
  });
  const start = performance.now();
  const turnByMessage = await storeTurns(memory, turns);
  await memory.work.settled();
  if (used) run.embeddingMs += performance.now() - start;
  for (const question of questions) {
    const before = performance.now();
    const hits = await memory.search(question.text, { limit: DEPTH });
    run.queryMs.push(performance.now() - before);
    const contexts: Record<string, string[]> = {};
    for (const maxTokens of BUDGETS) {
      const { items } = await memory.recall(question.text, { maxTokens });
      // A fact that was learned from a turn is not the turn.
      const quoted = items.filter(({ kind }) => kind === 'recalled' || kind === 'recent');
      contexts[maxTokens] = quoted.flatMap((item) =>
        item.sources.map((source) => turnByMessage.get(source) ?? ''),
      );
    }
    run.answers.push({
      question,
      ranked: hits.map((hit) => turnByMessage.get(hit.message.id) ?? ''),
      contexts,
    });
  }
  for (const question of unrelated) {
    run.noise.push(noiseTokens(await memory.recall(question, { maxTokens: UNRELATED_BUDGET })));
  }
  await memory.close();
}

export async function storeTurns(memory: Memory, turns: readonly Turn[]): Promise<Map<string, string>> {
  const turnByMessage = new Map<string, string>();
  for (const { id, session, role, speaker, text, createdAt } of turns) {
    const receipt = await memory.remember(
      { messages: [{ role, name: speaker, content: text }] },
      { sessionId: `${memory.sessionId}/${session}`, createdAt },
    );
    for (const messageId of receipt.messageIds) turnByMessage.set(messageId, id);
  }
  return turnByMessage;
}

/** The model alone, by the public parts. Its context: whole messages, best first, as long as they fit. */
async function askVectors(
  { turns, questions }: Conversation,
  model: Embedder,
  run: RecallRun,
): Promise<void> {
  const tokenizer = await tiktokenTokenizer();
  const { dimensions } = await model.ready();
  const start = performance.now();
  const lines = turns.map(({ speaker, text }) => `${speaker}: ${text}`);
  const vectors = await model.embed(lines);
  run.embeddingMs += performance.now() - start;
  const index = new VectorIndex({ dimensions });
  index.addAll(turns.map(({ id }, position) => ({ id, vector: vectors[position] ?? [] })));
  const tokens = new Map(turns.map(({ id }, position) => [id, tokenizer.countText(`${lines[position]}\n`)]));
  for (const question of questions) {
    const before = performance.now();
    const [vector = new Float32Array(dimensions)] = await model.embed([question.text], { kind: 'query' });
    const ranked = index.search(vector, turns.length).map((hit) => hit.id);
    run.queryMs.push(performance.now() - before);
    const contexts = Object.fromEntries(BUDGETS.map((budget) => [budget, fill(ranked, tokens, budget)]));
    run.answers.push({ question, ranked: ranked.slice(0, DEPTH), contexts });
  }
}

function fill(ranked: readonly string[], tokens: ReadonlyMap<string, number>, budget: number): string[] {
  let left = budget;
  return ranked.filter((id) => {
    const cost = tokens.get(id) ?? 0;
    if (cost > left) return false;
    left -= cost;
    return true;
  });
}
