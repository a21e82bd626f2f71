import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  createMemory,
  transformersEmbedder,
  type ChatMemory,
  type CreateMemoryOptions,
  type Embedder,
  type NewTurn,
} from '../../src/index.ts';
import { newId } from '../../src/model/id.ts';
import { approximateTokenizer } from '../../src/tokens/approximate.ts';
import { randomSentence, seededRandom } from '../bench/seeded-random.ts';
import { toldSentence } from '../bench/told-sentences.ts';
import { hashEmbedder } from '../fakes/hash-embedder.ts';
import { copyTruth, textIn } from '../fixtures/copied-database.ts';
import { CORPORA } from '../fixtures/other-languages.ts';
import { dump } from '../fixtures/raw-database.ts';

const SEEDS = Number(import.meta.env['VITE_MNEMORA_SEEDS'] ?? 2);
const FIRST_SEED = Number(import.meta.env['VITE_MNEMORA_SEED'] ?? 1);
const STEPS = Number(import.meta.env['VITE_MNEMORA_STEPS'] ?? 24);
const STEPS_PER_CHECK = 6;
const SESSIONS = ['work', 'home', 'travel', 'odd'] as const;
const DAY = 86_400_000;

const EMBEDDERS = ['none', 'words', 'other words', 'in a worker'] as const;
type EmbedderName = (typeof EMBEDDERS)[number];

type Options = CreateMemoryOptions & { name: string };

const closing: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close(); // a page is the last to go
});

/** Opens memories from another page: code, connection and indexes of its own. */
async function otherPage(): Promise<typeof createMemory> {
  const frame = document.createElement('iframe');
  frame.srcdoc = `<script type="module">
    // What vitest calls instead of every import().
    window.__vitest_browser_runner__ = { wrapDynamicImport: (load) => load() };
    const { createMemory } = await import('${new URL('../../src/index.ts', import.meta.url).href}');
    window.openMemory = createMemory;
  </script>`;
  document.body.append(frame);
  closing.push(() => frame.remove());
  const page = frame.contentWindow as Window & { openMemory?: typeof createMemory };
  await vi.waitFor(() => expect(page.openMemory).toBeDefined(), { timeout: 15_000 });
  return page.openMemory as typeof createMemory;
}

/** A memory that lives for months, in two tabs, as chance will have it. */
class Months {
  readonly name: string = newId();
  readonly log: string[] = [];
  readonly #random: () => number;
  readonly #openers: readonly (typeof createMemory)[];
  readonly #tabs: { memory: ChatMemory; embedder: EmbedderName }[] = [];
  readonly #said: { turnId: string; turn: NewTurn; sessionId: string }[] = [];
  readonly #workers: Worker[] = [];
  readonly #inWorker: Embedder;
  #now = Date.UTC(2026, 0, 5);
  #canaries = 0;
  #isWorkerKilled = false;

  constructor(seed: number, openers: readonly (typeof createMemory)[]) {
    this.#random = seededRandom(seed);
    this.#openers = openers;
    const assetsUrl = new URL('/mnemora-assets/', location.origin).href;
    this.#inWorker = transformersEmbedder({
      assetsUrl,
      worker: () => {
        const worker = new Worker(new URL('embedding-worker.js', assetsUrl), { type: 'module' });
        this.#workers.push(worker);
        return worker;
      },
    });
    closing.push(() => this.#inWorker.close());
  }

  async open(): Promise<void> {
    for (const opener of this.#openers) {
      const embedder = this.#pick(EMBEDDERS);
      this.#tabs.push({ memory: await this.#memory(opener, this.name, embedder), embedder });
    }
    closing.push(() => Promise.all(this.#tabs.map(({ memory }) => memory.close())));
  }

  async step(): Promise<void> {
    const { memory } = this.#pick(this.#tabs);
    const chance = this.#random();
    if (chance < 0.3) await this.#remember(memory, 1 + Math.floor(this.#random() * 4));
    else if (chance < 0.42) await this.#remember(memory, 30 + Math.floor(this.#random() * 60));
    else if (chance < 0.66) await this.#forget(memory);
    else if (chance < 0.72) await this.#correct(memory);
    else if (chance < 0.84) await this.#reopen();
    else if (chance < 0.88) this.#killWorker();
    else if (chance < 0.94) this.#jump();
    else await this.#ask(memory);
  }

  /** Everything that is asked now is answered as by a memory over the same truth with no index yet. */
  async check(): Promise<void> {
    if (this.#isWorkerKilled) await this.#notice();
    for (let round = 0; round < 2; round++) for (const { memory } of this.#tabs) await memory.settled();
    expect(await this.#tabs[0]?.memory.jobs()).toEqual([]);
    const questions = [
      this.#pick(this.#said).turn,
      this.#pick(this.#said).turn,
      { user: 'Where does my friend live, and what does she like?' },
      { user: this.#pick(this.#pick(CORPORA).questions)[0] },
      { user: `What did I say ${this.#pick(['last week', 'in January', 'yesterday', 'last spring'])}?` },
    ].map((turn) => ('user' in turn ? turn.user : 'What is the weather like?'));
    const sessionId = this.#pick(SESSIONS);
    for (const { memory, embedder } of this.#tabs) {
      const answers = await answersOf(memory, questions, sessionId);
      const copy = newId();
      await copyTruth(this.name, copy);
      const fresh = await this.#memory(createMemory, copy, embedder);
      await fresh.settled();
      const expected = await answersOf(fresh, questions, sessionId);
      await fresh.close();
      indexedDB.deleteDatabase(copy);
      expect(answers).toEqual(expected);
    }
    expect((await this.#tabs[0]?.memory.verify())?.problems).toEqual([]);
    await this.#nothingForgottenIsLeft();
  }

  async #nothingForgottenIsLeft(): Promise<void> {
    const { messages, ...rest } = await dump(this.name);
    const alive = new Set(textIn(messages).match(/zq\d{4}x/g));
    expect([...new Set(textIn(rest).match(/zq\d{4}x/g))].filter((word) => !alive.has(word))).toEqual([]);
  }

  async #remember(memory: ChatMemory, count: number): Promise<void> {
    this.log.push(`remember ${count}`);
    const turns = Array.from({ length: count }, () => {
      const old = this.#said.length > 0 && this.#random() < 0.1 ? this.#pick(this.#said) : undefined;
      const isDuplicate = old !== undefined && this.#random() < 0.3;
      const said = isDuplicate
        ? old
        : { turnId: newId(), turn: old?.turn ?? this.#turn(), sessionId: this.#pick(SESSIONS) };
      if (!isDuplicate) this.#said.push(said);
      this.#now += this.#random() * 3_600_000;
      return { ...said, state: this.#random() < 0.05 ? ('cancelled' as const) : ('complete' as const) };
    });
    await Promise.all(
      turns.map(({ turn, state, ...where }) =>
        memory
          .remember(turn, { ...where, state })
          .catch((error: { code?: string }) => expect(error.code).toBe('turn-conflict')),
      ),
    );
  }

  #turn(): NewTurn {
    this.#canaries += 1;
    const canary = `zq${String(this.#canaries).padStart(4, '0')}x`;
    const chance = this.#random();
    if (chance < 0.45)
      return { user: `${toldSentence(this.#random)} ${canary}`, assistant: `Noted, ${canary}.` };
    if (chance < 0.7) return { user: `${randomSentence(this.#random)} ${canary}`, assistant: 'I see.' };
    if (chance < 0.85) {
      const { messages } = this.#pick(CORPORA);
      return { user: `${this.#pick(messages)} ${canary}`, assistant: this.#pick(messages) };
    }
    return {
      messages: [
        { role: 'user', name: this.#pick(['Anna', 'Boris']), content: `Is it cold? ${canary}` },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            {
              id: 'call_1',
              type: 'function',
              function: { name: 'weather', arguments: `{"at":"${canary}"}` },
            },
          ],
        },
        { role: 'tool', tool_call_id: 'call_1', content: `${canary}: 4 degrees` },
        { role: 'assistant', content: `It is cold. ${canary}` },
      ],
    };
  }

  async #forget(memory: ChatMemory): Promise<void> {
    const [hit] = await memory.search(this.#pick(['live', 'weather', 'friend', 'noted']), { k: 1 });
    const chance = this.#random();
    if (chance < 0.25 && hit) await memory.forget({ messageId: hit.id });
    else if (chance < 0.5 && hit) await memory.forget({ turnId: hit.turnId });
    else if (chance < 0.58) await memory.forget({ sessionId: this.#pick(SESSIONS) });
    else if (chance < 0.68) await memory.forget({ before: this.#now - this.#random() * 30 * DAY });
    else if (chance < 0.71) await memory.forget({ everything: true });
    else if (chance < 0.85) {
      const [entity] = (await memory.entities()).slice(Math.floor(this.#random() * 5));
      if (entity) await memory.forget({ entity: entity.name, turns: true });
    } else {
      const [fact] = (await memory.facts()).slice(Math.floor(this.#random() * 5));
      if (fact) await memory.forget({ factId: fact.id });
    }
    this.log.push(`forget ${chance.toFixed(2)}`);
  }

  async #correct(memory: ChatMemory): Promise<void> {
    await memory.settled();
    const facts = await memory.facts();
    const fact = facts[Math.floor(this.#random() * facts.length)];
    this.log.push('correct');
    if (fact) await memory.correct(fact.id, { object: this.#pick(['Reykjavik', 'Quito', 'green tea']) });
    if (fact && this.#random() < 0.3) await memory.pin((await memory.facts())[0]?.id ?? '');
  }

  async #reopen(): Promise<void> {
    const tab = Math.floor(this.#random() * this.#tabs.length);
    const opener = this.#openers[tab];
    const known = this.#tabs[tab];
    if (!opener || !known) return;
    const embedder = this.#random() < 0.5 ? known.embedder : this.#pick(EMBEDDERS);
    this.log.push(`reopen ${tab} ${embedder}`);
    await known.memory.close();
    this.#tabs[tab] = { memory: await this.#memory(opener, this.name, embedder), embedder };
  }

  #killWorker(): void {
    this.log.push('kill worker');
    this.#workers.at(-1)?.terminate();
    this.#isWorkerKilled = true;
  }

  /** What a worker held and another embedder's tab has removed from the disk is embedded with the next turn. */
  async #notice(): Promise<void> {
    this.#isWorkerKilled = false;
    for (const { memory } of this.#tabs) await memory.search('boats');
    for (const { memory } of this.#tabs) await this.#remember(memory, 1);
  }

  #jump(): void {
    this.#now += (this.#random() - 0.4) * 60 * DAY;
    this.log.push('jump');
  }

  async #ask(memory: ChatMemory): Promise<void> {
    this.log.push('ask');
    await Promise.all([memory.search('boats and tea'), memory.recall('Where do I live?')]);
  }

  #memory(opener: typeof createMemory, name: string, embedder: EmbedderName): Promise<ChatMemory> {
    const options: Options = {
      name,
      sessionId: 'work',
      tokenizer: approximateTokenizer(),
      enrichmentDelayMs: 0,
      clock: () => Math.floor(this.#now),
      embedder: this.#embedder(embedder),
      onWarning: ({ code, message }) => this.log.push(`WARNING ${code} ${message}`),
    };
    return opener(options);
  }

  #embedder(name: EmbedderName): Embedder | false {
    switch (name) {
      case 'none':
        return false;
      case 'words':
        return hashEmbedder({ id: 'words' });
      case 'other words':
        return hashEmbedder({ id: 'other words', dimensions: 24 });
      case 'in a worker': {
        const inWorker = this.#inWorker;
        return {
          ...hashEmbedder({ id: 'in a worker', dimensions: 32 }),
          openVectors: () => {
            const vectors = inWorker.openVectors?.();
            if (!vectors) throw new Error('The embedder keeps no vectors.');
            return vectors;
          },
        };
      }
    }
  }

  #pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.#random() * list.length)] as T;
  }
}

async function answersOf(
  memory: ChatMemory,
  questions: readonly string[],
  sessionId: string,
): Promise<unknown[]> {
  const answers: unknown[] = [];
  for (const question of questions) {
    const found = await memory.search(question, { k: 300 });
    const inSession = await memory.search(question, { k: 5, sessionId });
    const recalled = await memory.recall(question, { sessionId });
    const rankOf = ({ id, score, parts }: (typeof found)[number]): unknown => ({ id, score, parts });
    answers.push({ question, found: found.map(rankOf), inSession: inSession.map(rankOf), recalled });
  }
  return answers;
}

describe('a memory that lives for months in two tabs', () => {
  it('P126: it answers as one made anew from the same transcript, and nothing of what was forgotten is left', async () => {
    const openers = [createMemory, await otherPage()];
    for (let seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) {
      const months = new Months(seed, openers);
      await months.open();
      try {
        for (let step = 1; step <= STEPS; step++) {
          await months.step();
          if (step % STEPS_PER_CHECK === 0) await months.check();
        }
      } catch (error) {
        throw new Error(`Seed ${seed}, after: ${months.log.join('; ')}`, { cause: error });
      }
    }
  }, 3_600_000);
});
