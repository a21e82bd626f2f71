import { beforeEach, describe, expect, inject, it } from 'vitest';
import { fetchLLM, type Memory, type LLM, type MemoryFact, type Warning } from '../../../src/index.ts';
import { newId } from '../../../src/model/id.ts';
import type { RecordedRequest } from '../../fakes/scripted-llm-server.ts';
import { memoryOf } from '../../fixtures/open-memory.ts';
import { dump } from '../../fixtures/databases/raw-database.ts';

const channel = `${inject('llmServerOrigin')}/memory-knowledge`;
const httpModel = fetchLLM({ url: `${channel}/v1`, model: 'm', sleep: async () => undefined });

async function script(...texts: string[]): Promise<void> {
  const replies = texts.map((text) => ({ kind: 'reply', text }));
  await fetch(`${channel}/__script`, { method: 'POST', body: JSON.stringify(replies) });
}

async function requests(): Promise<RecordedRequest[]> {
  return (await fetch(`${channel}/__requests`)).json();
}

beforeEach(async () => {
  await fetch(`${channel}/__reset`, { method: 'POST' });
});

const statements = (facts: readonly MemoryFact[]): string[] =>
  facts.map(({ subject, predicate, object }) => `${subject} ${predicate} ${object}`);

function fact(
  subject: string,
  predicate: string,
  object: string,
  message: string,
  quote: string,
  more: object = {},
): object {
  return { subject, predicate, object, message, quote, ...more };
}

const reply = (...facts: object[]): string => JSON.stringify({ entities: [], facts });

async function tell(memory: Memory, user: string, assistant: string): Promise<void> {
  await memory.remember({ user, assistant });
  await memory.work.settled();
}

describe("the stories of LangChain's documents, in IndexedDB, with a model over HTTP", () => {
  it("FACT-1: the user's name is a fact in a later chat and after the database was reopened", async () => {
    const name = newId();
    const memory = await memoryOf({ name, learning: { llm: httpModel, delayMs: 0 } });
    await script(reply(fact('I', 'am named', 'Jack', 'm1', 'I am Jack')));
    await tell(memory, 'Hello, I am Jack.', 'Hello, Jack. How can I help?');
    expect(statements(await memory.facts.list({ about: 'me' }))).toEqual(['user is named Jack']);
    await memory.close();
    const reopened = await memoryOf({ name, learning: { llm: httpModel } });
    const { text } = await reopened.recall('Do you remember my name?');
    expect(text).toContain('Hello, I am Jack.');
    expect(await requests()).toHaveLength(1);
  });

  it('FACT-2: "her" is Sam because the model gets the previous turns, which are not learned from again', async () => {
    const memory = await memoryOf({ learning: { llm: httpModel, delayMs: 0 } });
    await script(
      reply(),
      reply(fact('sam', 'is a', 'friend', 'm1', 'sam is a friend')),
      reply(fact('sam', 'has favorite color', 'red', 'm1', 'her favorite color is red')),
    );
    await tell(memory, 'say hi to sam', 'who is sam');
    await tell(memory, 'sam is a friend', 'okay');
    await tell(memory, 'her favorite color is red', 'noted');
    const prompts = (await requests()).map(({ body }) => JSON.stringify(body.messages));
    expect(prompts).toHaveLength(3);
    expect(prompts[2]).toContain('say hi to sam');
    expect(prompts[2]).toContain('sam is a friend');
    expect(statements(await memory.facts.list({ about: 'Sam' }))).toEqual([
      'sam is a friend',
      'sam has favorite color red',
    ]);
  });

  it('FACT-3: a question about Nolan returns the films of both turns, also of the one that says "he"', async () => {
    const memory = await memoryOf({ learning: { llm: httpModel, delayMs: 0 } });
    const first = '"Interstellar" and "Inception", both directed by Christopher Nolan.';
    await script(
      reply(
        fact('Christopher Nolan', 'directed', 'Interstellar', 'm2', first),
        fact('Christopher Nolan', 'directed', 'Inception', 'm2', first),
      ),
      reply(fact('Christopher Nolan', 'directed', 'Memento', 'm2', 'He also directed "Memento".')),
    );
    await tell(memory, 'Can you recommend good movies?', `You might like ${first}`);
    await tell(memory, 'What other films are there?', 'He also directed "Memento".');
    const { text, items } = await memory.session(newId()).recall('What has Nolan directed?');
    for (const film of ['Interstellar', 'Inception', 'Memento']) expect(text).toContain(film);
    // What the first answer says by name is not said again; who "he" is, only the fact tells.
    expect(items.filter(({ kind }) => kind === 'fact').map((item) => item.text.split(' (')[0])).toEqual([
      'Christopher Nolan directed Memento',
    ]);
  });

  it('FACT-4: a corrected fact is no longer current, and stays in the history with the time of the correction', async () => {
    let now = 1_700_000_000_000;
    const memory = await memoryOf({ learning: { llm: httpModel, delayMs: 0 }, clock: () => (now += 1000) });
    await script(
      reply(fact('you', 'are', 'handsome', 'm2', 'Daniel Wu, Andy Lau, and you!')),
      reply(fact('I', 'am not', 'handsome', 'm1', "I'm not.")),
    );
    await tell(memory, 'Name three of the most handsome men in the world.', 'Daniel Wu, Andy Lau, and you!');
    const told = { about: 'me', includeUnconfirmed: true };
    expect(statements(await memory.facts.list(told))).toEqual(['user is handsome']);
    const before = now;
    await tell(memory, "You're wrong, be humble; I'm not.", 'Sorry, you are indeed not.');
    expect(statements(await memory.facts.list({ about: 'me' }))).toContain('user is not handsome');
    const [wrong] = await memory.facts.list({ ...told, includeHistory: true });
    expect(wrong).toMatchObject({
      predicate: 'is',
      object: 'handsome',
      attributes: { statedBy: 'assistant' },
    });
    expect(wrong?.retractedAt).toBeGreaterThan(before);
    expect(statements(await memory.facts.list({ ...told, knownAt: before }))).toEqual(['user is handsome']);
    const later = await memory.session(newId()).recall('Am I one of the most handsome men?');
    expect(later.text).toContain('user is not handsome');
    expect(later.text).not.toContain('user is handsome');
  });

  it('FACT-5: after 200 turns about travel, the weather is still in the entity, the fact and the summary', async () => {
    const model: LLM = async ({ messages }) => {
      const prompt = JSON.stringify(messages);
      const isWeather = prompt.includes('Tomorrow it will rain in Lisbon.');
      if (!prompt.includes('"facts"') && !prompt.includes('facts')) {
        return { text: isWeather ? 'Rain in Lisbon was expected.' : 'Travel was planned.' };
      }
      return {
        text: isWeather
          ? reply(fact('Lisbon', 'has weather', 'rain', 'm2', 'Tomorrow it will rain in Lisbon.'))
          : reply(),
      };
    };
    const memory = await memoryOf({ learning: { llm: model, delayMs: 5 }, sessionId: 'trip' });
    await tell(memory, 'What will the weather be?', 'Tomorrow it will rain in Lisbon.');
    for (let turn = 0; turn < 200; turn++) {
      await memory.remember({ user: `Where to on day ${turn}?`, assistant: `To town number ${turn}.` });
    }
    await memory.work.settled();
    const [first] = await memory.history();
    expect(first?.content).toBe('What will the weather be?');
    expect(statements(await memory.facts.list({ about: 'Lisbon', includeUnconfirmed: true }))).toEqual([
      'Lisbon has weather rain',
    ]);
    expect((await memory.facts.entities()).map((entity) => entity.name)).toContain('Lisbon');
    const context = await memory.recall('What was the weather in Lisbon?');
    expect(context.items.some((item) => item.kind === 'recalled' && item.text.includes('rain'))).toBe(true);
  });
});

describe('the same stories without any model', () => {
  it('FACT-7: the rules understand a name, a favorite color of "her", films of "he", and a denial', async () => {
    const memory = await memoryOf({ learning: { delayMs: 0 } });
    await tell(memory, 'Hello, I am Jack.', 'Hello, Jack. How can I help?');
    await tell(memory, 'sam is a friend', 'okay');
    await tell(memory, 'her favorite color is red', 'noted');
    await tell(
      memory,
      'Can you recommend any good movies?',
      'You might consider "Interstellar" and "Inception", both sci-fi films directed by Christopher Nolan.',
    );
    await tell(memory, 'And what else?', 'He also directed "Memento".');
    expect(statements(await memory.facts.list({ includeUnconfirmed: true }))).toEqual(
      expect.arrayContaining([
        'user is named Jack',
        'sam has favorite color red',
        'Christopher Nolan directed Interstellar',
        'Christopher Nolan directed Inception',
        'Christopher Nolan directed Memento',
      ]),
    );
    const { text } = await memory.session(newId()).recall('What films has Nolan directed?');
    for (const film of ['Interstellar', 'Inception', 'Memento']) expect(text).toContain(film);
  });

  it('FACT-6: after 200 turns about travel, what the user said first is still in summary, entity and facts', async () => {
    const memory = await memoryOf({ learning: { delayMs: 5 }, sessionId: 'trip' });
    await tell(
      memory,
      'I am allergic to nuts, and the weather in Lisbon is rainy.',
      'I will keep it in mind.',
    );
    for (let turn = 0; turn < 200; turn++) {
      await memory.remember({
        user: `Where should we go on day ${turn}?`,
        assistant: `To town number ${turn}.`,
      });
    }
    await memory.work.settled();
    const summary = await memory.summary();
    expect(summary?.text).toContain('nuts');
    expect(summary?.text).toContain('Lisbon');
    expect(statements(await memory.facts.list({ about: 'me' })).join()).toContain('nuts');
    expect((await memory.facts.entities()).find(({ name }) => name === 'Lisbon')?.summary).toContain('rainy');
  });
});

/** A model that counts its calls, and never finds anything. */
function countingModel(): { llm: LLM; calls: string[] } {
  const calls: string[] = [];
  return {
    calls,
    llm: async ({ messages }) => {
      calls.push(JSON.stringify(messages));
      return { text: JSON.stringify({ entities: [], facts: [] }) };
    },
  };
}

describe('model calls', () => {
  it('LRN-1: no model is called before remember and recall have resolved, and ten quick turns cost at most three calls', async () => {
    const { llm, calls } = countingModel();
    const memory = await memoryOf({ learning: { llm, delayMs: 60_000 } });
    for (let turn = 0; turn < 10; turn++) {
      await memory.remember({ user: `Question ${turn} about Sam?`, assistant: `Answer ${turn}.` });
      await memory.recall('What about Sam?');
      expect(calls).toEqual([]);
    }
    const kinds = (await memory.work.list()).map((job) => job.kind).filter((kind) => kind !== 'other');
    expect(kinds).toEqual(['learn']);
    await memory.work.settled();
    expect(calls.length).toBeGreaterThan(0);
    expect(calls.length).toBeLessThanOrEqual(3);
    expect(await memory.work.list()).toEqual([]);
  });

  it('LRN-2: a turn costs one call, whatever the number of entities and facts, and a summary one call per batch', async () => {
    const calls: string[] = [];
    const llm: LLM = async ({ messages }) => {
      calls.push(JSON.stringify(messages));
      const facts = ['Ann', 'Bob', 'Cem', 'Dora'].map((who) =>
        fact(who, 'likes', 'tea', 'm1', 'Ann, Bob, Cem and Dora like tea.'),
      );
      return { text: reply(...facts) };
    };
    const memory = await memoryOf({ learning: { llm, delayMs: 0 } });
    await tell(memory, 'Ann, Bob, Cem and Dora like tea.', 'Good for them.');
    expect(calls).toHaveLength(1);
    expect(await memory.facts.list()).toHaveLength(4);
    for (let turn = 0; turn < 7; turn++) await tell(memory, `Is it late, ${turn}?`, 'It is.');
    expect(calls).toHaveLength(8);
    await tell(memory, 'And now?', 'Now, too.');
    expect(calls).toHaveLength(10); // nine turns are more than the window holds: one summary
  });
});

describe("a model's reply is untrusted", () => {
  it('LRN-3: whatever a model replies, stored data is kept and unsupported proposals are counted and reported', async () => {
    const warnings: Warning[] = [];
    let answer = reply(fact('Sam', 'lives in', 'Rome', 'm1', 'Sam lives in Rome.'));
    const name = newId();
    const memory = await memoryOf({
      name,
      learning: { llm: async () => ({ text: answer }), delayMs: 0 },
      onWarning: (warning) => warnings.push(warning),
    });
    await tell(memory, 'Sam lives in Rome.', 'Noted.');
    const before = { facts: await memory.facts.list(), entities: await memory.facts.entities() };
    const manyFacts = Array.from({ length: 100_000 }, (_, i) => fact(`X${i}`, 'is', 'y', 'm1', 'nope'));
    const bad = [
      reply(fact('Sam', 'lives in', 'Oslo', 'm1', 'Sam lives in Oslo.')),
      reply(fact('Sam', 'lives in', 'Oslo', 'm9', 'Is it so')),
      reply(fact('Sam', 'lives in', 'Oslo', 'm1', 'Is it so', { replaces: ['f99', before.facts[0]?.id] })),
      JSON.stringify({ facts: manyFacts }),
      '{"__proto__":{"polluted":1},"facts":[{"subject":"__proto__","predicate":"constructor","object":"prototype","message":"m1"}]}',
      '<html><script>alert(1)</script></html>',
      'x'.repeat(1_000_000),
      '['.repeat(50_000),
    ];
    for (const [turn, text] of bad.entries()) {
      answer = text;
      await tell(memory, `Is it so, ${turn}?`, 'It is.');
    }
    const after = { facts: await memory.facts.list(), entities: await memory.facts.entities() };
    expect(after.facts).toEqual(before.facts);
    // What no message says waits for the user, once.
    expect((await memory.review.list()).map(({ text }) => text)).toEqual(['Sam lives in Oslo']);
    expect(after.entities.slice(0, before.entities.length)).toEqual(before.entities);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    expect(warnings.filter(({ code }) => code === 'extraction-rejected').length).toBeGreaterThanOrEqual(4);
    expect((await dump(name))['triples']).toHaveLength(2);
  });

  it('TRU-10: what an assistant or a tool says never ends what the user has said', async () => {
    const memory = await memoryOf({ learning: { llm: httpModel, delayMs: 0 } });
    await script(
      reply(fact('I', 'live in', 'Paris', 'm1', 'I live in Paris.')),
      reply(fact('you', 'live in', 'Oslo', 'm2', 'Since you live in Oslo, take a coat.')),
    );
    await tell(memory, 'I live in Paris.', 'Fine.');
    await tell(memory, 'What shall I wear?', 'Since you live in Oslo, take a coat.');
    expect(statements(await memory.facts.list({ about: 'me' }))).toEqual(['user lives in Paris']);
  });

  it('TRU-11: 50 replies that repeat recalled text add no fact, by rules or by a model that believes them', async () => {
    const parrot: LLM = async ({ messages }) => {
      // Takes every line of the new turn for a fact.
      const prompt = messages.map((message) => String(message.content)).join('\n');
      const said = [...prompt.matchAll(/(?:live in|lives in) (\w+)/g)].map(([quote, where]) =>
        fact('Echo', 'repeats', `${where} ${quote}`, 'm2', quote),
      );
      return { text: reply(...said) };
    };
    for (const options of [{}, { llm: parrot }]) {
      const memory = await memoryOf({ learning: { ...options, delayMs: 0 } });
      await tell(memory, 'I live in Paris. My dog is called Max. Sam lives in Rome.', 'Good to know.');
      const before = await memory.facts.list({ includeHistory: true });
      for (let turn = 0; turn < 50; turn++) {
        const { text } = await memory.recall('Where do I live, and what about Sam and Max?');
        const echo =
          turn % 2 === 0
            ? text
            : 'As you said, you live in Paris, your dog is called Max, and Sam lives in Rome.';
        await memory.remember({ user: `Do you still know, ${turn}?`, assistant: `Yes. ${echo}` });
      }
      await memory.work.settled();
      expect(statements(await memory.facts.list({ includeHistory: true }))).toEqual(statements(before));
    }
  });
});
