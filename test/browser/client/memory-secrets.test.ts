import { expect, it } from 'vitest';
import { withMemory, type ChatMessage, type Memory, type RedactedText } from '../../../src/index.ts';
import {
  ConversationEntityMemory,
  ConversationKGMemory,
  ConversationSummaryMemory,
} from '../../../src/langchain.ts';
import { offlineExtractor } from '../../../src/extract.ts';
import { messageText } from '../../../src/model/message.ts';
import { scriptedLLM } from '../../fakes/scripted-llm.ts';
import { memoryOf } from '../../fixtures/open-memory.ts';

const PASSWORD = 'hunter2';
const PIN = '4821';
const CARD = '4111 1111 1111 1111';
const KEY = 'sk-proj-AbCd1234EfGh5678IjKl9012';
const SECRETS = [PASSWORD, PIN, CARD, KEY, 'swordfish', '123-45-6789'];

const TOLD = [
  `My password is ${PASSWORD}. I live in Lisbon.`,
  `Please remember: the PIN for my debit card is ${PIN}, and my sister is called Mara.`,
  `My card number is ${CARD}, and my social security number is 123-45-6789.`,
  `I use swordfish as my Netflix password. My Netflix password is swordfish.`,
  `My API key is ${KEY} and I work at Acme.`,
];

/** All that a memory derives, as one text. */
async function derived(memory: Memory): Promise<string> {
  const [facts, entities, profile, review, summary] = await Promise.all([
    memory.facts.list({ includeUnconfirmed: true, includeHistory: true }),
    memory.facts.entities(),
    memory.profile(),
    memory.review.list(),
    memory.summary(),
  ]);
  const lines = (await (await memory.backup.export()).text()).split('\n');
  const statements = lines.filter((line) => line.startsWith('{"store":"statements"'));
  const told = facts.map(({ subject, predicate, object }) => `${subject} ${predicate} ${object}`);
  return JSON.stringify([facts, entities, profile, review, summary, statements, told]);
}

/** The secrets in `text` as words: four digits also occur inside of times and random ids, by chance. */
function secretsIn(text: string): string[] {
  return SECRETS.filter((secret) => new RegExp(`(?<![\\da-f-])${secret}(?![\\da-f-])`, 'u').test(text));
}

async function expectNoSecrets(memory: Memory): Promise<void> {
  expect(secretsIn(await derived(memory))).toEqual([]);
}

it('SECR-6: what looks like a secret is no fact, statement, note or line of the profile or summary, and search finds it', async () => {
  const memory = await memoryOf({ recentTurns: 2, learning: { delayMs: 0 } });
  for (const user of TOLD) await memory.remember({ user, assistant: 'Noted.' });
  await memory.work.settled();
  await expectNoSecrets(memory);
  const facts = await memory.facts.list();
  expect(facts.map(({ object }) => object)).toEqual(expect.arrayContaining(['Lisbon', 'Mara', 'Acme']));
  expect(JSON.stringify((await memory.history()).map(messageText))).toContain(CARD);
  const [hit] = await memory.search('debit card PIN');
  expect(hit?.text).toContain(PIN);
  await memory.backup.rebuild();
  await expectNoSecrets(memory);
});

it('SECR-6: whatever a model proposes, a secret is not stored, and is counted', async () => {
  const quote = `The password is ${PASSWORD}`;
  const proposals = [
    { subject: 'user', predicate: 'has password', object: PASSWORD, messageId: 0, quote },
    { subject: 'user', predicate: 'likes', object: PASSWORD, messageId: 0, quote },
    { subject: 'user', predicate: 'lives in', object: 'Lisbon', messageId: 0, quote: 'I live in Lisbon' },
  ];
  const memory = await memoryOf({
    learning: {
      delayMs: 0,
      extractor: {
        ...offlineExtractor(),
        id: 'proposing',
        isModel: true,
        extract: async ({ messages }) => ({
          unreadable: 0,
          triples: proposals.map((triple) => ({ ...triple, messageId: messages[0]?.id ?? '' })),
          mentions: [
            { name: 'Lisbon', messageId: messages[0]?.id ?? '', note: `The user's password is ${PASSWORD}.` },
            { name: PASSWORD, messageId: messages[0]?.id ?? '' },
          ],
        }),
        summarize: async () => `The user lives in Lisbon; ${PASSWORD} opens their mail.`,
      },
    },
    recentTurns: 1,
  });
  const warnings: string[] = [];
  memory.addEventListener('warning', ({ detail }) => warnings.push(detail.message));
  for (let n = 0; n < 4; n += 1) {
    await memory.remember({ user: `I live in Lisbon. ${quote}. My mail is open.`, assistant: 'Fine.' });
  }
  await memory.work.settled();
  await expectNoSecrets(memory);
  expect((await memory.facts.list()).map(({ object }) => object)).toEqual(['Lisbon']);
  expect((await memory.summary())?.text).toContain('[secret] opens their mail');
  expect(warnings.join('\n')).toMatch(/\d × secret/u);
});

it('SECR-7: the memory components store no secret in a summary, an entity or a graph', async () => {
  const input = `I am Mara and my password is ${PASSWORD}.`;
  const summary = new ConversationSummaryMemory({
    llm: scriptedLLM(`Mara opens mail with ${PASSWORD}.`).llm,
  });
  await summary.saveContext({ input }, { output: 'ok' });
  expect(await summary.loadMemoryVariables()).toEqual({ history: 'Mara opens mail with [secret].' });
  const entities = new ConversationEntityMemory({
    llm: scriptedLLM('Mara', `{"Mara": "Mara's password is ${PASSWORD}."}`).llm,
  });
  await entities.loadMemoryVariables({ input });
  await entities.saveContext({ input }, { output: 'ok' });
  expect(await entities.entityStore.get('Mara')).toContain('[secret]');
  const graph = new ConversationKGMemory({
    llm: scriptedLLM(`(Mara, has password, ${PASSWORD})<|>(Mara, lives in, Lisbon)`).llm,
  });
  await graph.saveContext({ input }, { output: 'You live in Lisbon.' });
  expect(graph.getKnowledgeTriplets).toBeDefined();
  const read = await graph.loadMemoryVariables({ input: 'Mara' });
  expect(JSON.stringify(read)).not.toContain(PASSWORD);
});

it('SECR-8: redact is applied to every text of a message before it is stored, and not to what is sent', async () => {
  const seen: RedactedText[] = [];
  const memory = await memoryOf({
    learning: { delayMs: 0 },
    redact: (text, about) => {
      seen.push(about);
      return text.replaceAll('Zanzibar', '[place]');
    },
  });
  const messages: ChatMessage[] = [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'To Zanzibar?', origin: 'document' },
        { type: 'file', file: { name: 'Zanzibar.pdf' } },
      ],
      name: 'Ann of Zanzibar',
    },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'fly', arguments: '{"to":"Zanzibar"}' } }],
    },
    { role: 'tool', tool_call_id: 'c1', content: 'Zanzibar: booked' },
    { role: 'assistant', content: 'I live in Zanzibar.' },
  ];
  const first = await memory.remember({ messages }, { turnId: 't1' });
  const again = await memory.remember({ messages }, { turnId: 't1' });
  expect([first.duplicate, again.duplicate]).toEqual([false, true]);
  const context = await memory.recall('Is Zanzibar far?');
  expect(messageText(context.messages.at(-1) as ChatMessage)).toContain('Is Zanzibar far?');
  const chat = withMemory(async () => ({ text: 'Zanzibar is far.' }), memory);
  expect(await chat.send('I moved to Zanzibar.')).toBe('Zanzibar is far.');
  await memory.work.settled();
  const stored = await (await memory.backup.export()).text();
  expect(stored).not.toContain('Zanzibar');
  expect(stored.split('[place]').length).toBeGreaterThan(7);
  expect((await memory.sessions()).map(({ title }) => title)).toEqual(['To [place]?']);
  expect((await memory.history()).map(({ state }) => state)).toEqual(
    Array.from({ length: 6 }, () => 'complete'),
  );
  expect(new Set(seen.map(({ role, field }) => `${role} ${field}`))).toEqual(
    new Set(['user content', 'user name', 'assistant arguments', 'tool content', 'assistant content']),
  );
});

it.each([
  [
    'throws',
    () => {
      throw new Error('no');
    },
  ],
  ['returns nothing', () => undefined],
  ['returns a promise', async (text: string) => text],
] as const)('SECR-9: if redact %s, nothing is stored and nothing is sent', async (_what, redact) => {
  const memory = await memoryOf({ redact: redact as () => string });
  await expect(memory.remember({ user: 'a', assistant: 'b' })).rejects.toMatchObject({
    code: 'redact-failed',
  });
  const { llm, prompts } = scriptedLLM('never');
  await expect(withMemory(llm, memory).send('a')).rejects.toMatchObject({ code: 'redact-failed' });
  expect(prompts).toEqual([]);
  expect(await memory.sessions()).toEqual([]);
  await expect(memoryOf({ redact: 'no' as unknown as () => string })).rejects.toMatchObject({
    code: 'invalid-option',
  });
});

it('SECR-10: the ready-made redaction keeps secrets out of everything that is stored', async () => {
  const memory = await memoryOf({ redact: 'secrets', learning: { delayMs: 0 } });
  for (const user of TOLD) await memory.remember({ user, assistant: 'Noted.' });
  await memory.work.settled();
  const stored = await (await memory.backup.export()).text();
  expect(secretsIn(stored)).toEqual([]);
  const image = `data:image/png;base64,${btoa('Aa1 '.repeat(500))}`;
  const content = [{ type: 'image_url', image_url: { url: image } }];
  await memory.remember({ messages: [{ role: 'user', content }] });
  expect((await memory.history()).at(-1)).toMatchObject({ content });
});
