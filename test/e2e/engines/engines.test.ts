import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, inject, it, onTestFinished } from 'vitest';
import type { Engine } from '../../../scripts/engines.ts';
import { type LaunchedEngine, launchEngine } from '../../engines/launch-engine.ts';
import type { PuppetServer } from '../../engines/puppet-server.ts';
import { FOREIGN, INSTALLED, servePage } from './engine-page.ts';

const NAME = 'My name is Marta and I live in Porto.';
const BROTHER = 'My brother Felix lives in Graz.';

let server: PuppetServer;

beforeAll(async () => {
  const served = await servePage({ '/demo/': inject('demoFolder') });
  server = served.server;
  return served.close;
}, 300_000);

it.each(FOREIGN)(
  'ENG-1: the demo answers without a model, keeps it over a reload, and forgets a turn (%s)',
  async (engine) => {
    await open(engine, 'demo');
    const address = `${server.url}demo/?database=engines`;
    await server.run('demo', (url) => window.engineTab.demo.open(url), address);
    for (const text of [NAME, BROTHER]) {
      await server.run('demo', (message) => window.engineTab.demo.say(message), text);
    }
    await server.run('demo', (url) => window.engineTab.demo.open(url), address);
    await expect
      .poll(messages)
      .toEqual([
        NAME,
        'Noted: your name is Marta; you live in Porto.',
        BROTHER,
        'Noted: your brother is Felix; Felix lives in Graz.',
      ]);
    const facts = async (): Promise<readonly string[]> =>
      (await server.run('demo', () => window.engineTab.demo.facts(), 0)).toSorted();
    await expect
      .poll(facts)
      .toEqual(['Felix lives in Graz', 'You live in Porto', 'Your brother is Felix', 'Your name is Marta']);
    await server.run('demo', (text) => window.engineTab.demo.forget(text), BROTHER);
    await expect.poll(facts).toEqual(['You live in Porto', 'Your name is Marta']);
    await server.run('demo', (url) => window.engineTab.demo.open(url), address);
    await expect.poll(messages).toHaveLength(2);
    expect(await server.run('demo', () => window.engineTab.demo.errors, 0)).toEqual([]);
  },
);

it.each(FOREIGN)(
  'ENG-2: two tabs that write 30 turns each keep all of them, learn from each once, and one finds nothing that the other forgot (%s)',
  async (engine) => {
    await open(engine, 'a', 'b');
    await Promise.all(['a', 'b'].map((tab) => write(tab, { from: 0, to: 30 })));
    await Promise.all(['a', 'b'].map(settled));
    const [seenByA, seenByB] = [await history('a'), await history('b')];
    expect(seenByB).toEqual(seenByA);
    for (const tab of ['a', 'b']) {
      expect(seenByA.filter(({ content }) => content.startsWith(`Tab ${tab} saw`))).toHaveLength(30);
    }
    expect(seenByA.map(({ seq }) => seq)).toEqual(Array.from({ length: 120 }, (_, n) => n));
    const questions = seenByA.filter(({ role }) => role === 'user');
    const learned = [...(await learnedBy('a')), ...(await learnedBy('b'))];
    expect(learned.toSorted()).toEqual(questions.map(({ id }) => id).toSorted());

    expect(await found('b', 'boat a7')).toEqual(['Tab a saw the boat a7.']);
    await server.run('a', forget, seenByA.find(({ content }) => content.includes('boat a7.'))?.turnId ?? '');
    expect(await found('b', 'boat a7')).not.toContain('Tab a saw the boat a7.');
    expect((await history('b')).filter(({ content }) => content.includes('boat a7.'))).toEqual([]);
    expect(await problems('b')).toEqual([]);
  },
);

it.each(INSTALLED)(
  'ENG-3: a tab that did the background work and was left blocks no other tab, and works again when the user goes back (%s)',
  async (engine) => {
    await open(engine, 'a', 'b');
    await write('a', { from: 0, to: 5 });
    await settled('a');
    expect(await learnedBy('a')).toHaveLength(5);
    // What is still to be learned makes the tab start its background work when it is hidden.
    await write('a', { from: 5, to: 10 });
    await server.run(
      'a',
      (url) => () => {
        location.href = url;
      },
      server.puppetUrl('away'),
    );
    await server.run('away', () => document.readyState, 0);

    await write('b', { from: 0, to: 10 });
    expect(await found('b', 'boat a7')).toEqual(['Tab a saw the boat a7.']);
    expect(await asked('b', 'Who saw the boat b7?')).toContain('Tab b saw the boat b7.');
    await settled('b');

    await server.run('away', () => () => window.history.back(), 0);
    expect(await found('a', 'boat b7')).toEqual(['Tab b saw the boat b7.']);
    await write('a', { from: 10, to: 12 });
    await Promise.all(['a', 'b'].map(settled));
    expect(await history('b')).toHaveLength(44);
    expect(await problems('a')).toEqual([]);
    expect(await server.run('a', () => window.engineTab.uncaught, 0)).toEqual([]);
    expect(await server.run('b', () => window.engineTab.uncaught, 0)).toEqual([]);
  },
);

it.each(FOREIGN)(
  'ENG-4: what was acknowledged is there after the browser was killed (%s)',
  async (engine) => {
    const profile = await mkdtemp(join(tmpdir(), `mnemora-${engine}-kept-`));
    onTestFinished(() => rm(profile, { recursive: true, force: true, maxRetries: 10 }));
    const browser = await openWith(engine, { profile }, ['a']);
    await write('a', { from: 0, to: 20 });
    await browser.kill();
    await openWith(engine, { profile }, ['a']);
    expect(await history('a')).toHaveLength(40);
    expect(await problems('a')).toEqual([]);
  },
);

/** Starts a browser with a page for each tab; it ends with the test. */
function open(engine: Engine, ...tabs: readonly string[]): Promise<LaunchedEngine> {
  return openWith(engine, {}, tabs);
}

async function openWith(
  engine: Engine,
  options: { readonly profile?: string },
  tabs: readonly string[],
): Promise<LaunchedEngine> {
  const browser = await launchEngine(engine, options);
  onTestFinished(() => browser.close());
  for (const tab of tabs) browser.open(`${server.url}index.html?tab=${tab}`);
  return browser;
}

function messages(): Promise<readonly string[]> {
  return server.run('demo', () => window.engineTab.demo.messages(), 0);
}

/** Remembers turns about the boats with these numbers, one after the other. */
function write(tab: string, numbers: { readonly from: number; readonly to: number }): Promise<void> {
  return server.run(
    tab,
    async ({ name, from, to }) => {
      const memory = await window.engineTab.open();
      for (let n = from; n < to; n += 1) {
        await memory.remember({
          user: `Tab ${name} saw the boat ${name}${n}.`,
          assistant: `Tab ${name} answers.`,
        });
      }
    },
    { name: tab, ...numbers },
  );
}

function settled(tab: string): Promise<void> {
  return server.run(tab, async () => (await window.engineTab.open()).work.settled(), 0);
}

interface Row {
  readonly id: string;
  readonly seq: number;
  readonly turnId: string;
  readonly role: string;
  readonly content: string;
}

function history(tab: string): Promise<readonly Row[]> {
  return server.run(
    tab,
    async () => {
      const rows = await (await window.engineTab.open()).history();
      return rows.map(({ id, seq, turnId, role, content }) => ({
        id,
        seq,
        turnId,
        role,
        content: String(content),
      }));
    },
    0,
  );
}

function learnedBy(tab: string): Promise<readonly string[]> {
  return server.run(tab, () => window.engineTab.learned, 0);
}

/** The best result of a search. */
function found(tab: string, query: string): Promise<readonly string[]> {
  return server.run(
    tab,
    async (text) => {
      const results = await (await window.engineTab.open()).search(text, { limit: 1 });
      return results.map(({ message }) => String(message.content));
    },
    query,
  );
}

/** What a model gets to read with a question. */
function asked(tab: string, question: string): Promise<string> {
  return server.run(
    tab,
    async (text) => JSON.stringify((await (await window.engineTab.open()).recall(text)).messages),
    question,
  );
}

function forget(turnId: string): Promise<void> {
  return window.engineTab.open().then(async (memory) => void (await memory.forget({ turnId })));
}

function problems(tab: string): Promise<readonly unknown[]> {
  return server.run(tab, async () => (await (await window.engineTab.open()).backup.verify()).problems, 0);
}
