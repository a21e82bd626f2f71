import { afterEach, describe, expect, it } from 'vitest';
import { rowsOf } from '../../fixtures/rows-of.ts';
import { withMemory, type Memory } from '../../../src/index.ts';
import { newId } from '../../../src/model/id.ts';
import { openDatabase } from '../../../src/sessions/open-database.ts';
import { memoryInFrame } from '../../fixtures/memory-in-frame.ts';
import { memoryOf } from '../../fixtures/open-memory.ts';
import { eventually } from '../../fixtures/eventually.ts';

const DAY_MS = 86_400_000;
const question = { messages: [{ role: 'user' as const, content: 'Are you there?' }] };

async function statesOf(memory: Memory): Promise<(string | undefined)[]> {
  return (await memory.history()).map((message) => message.state);
}

afterEach(() => {
  Reflect.deleteProperty(navigator, 'locks');
});

describe('pending turns of closed pages', () => {
  it('HIST-9: the pending turn of a closed page fails when the next page opens, and turns of living pages stay pending', async () => {
    const options = { name: newId(), sessionId: 's' };
    const dying = await memoryInFrame(options);
    const living = await memoryInFrame(options);
    await dying.memory.remember(question, { turnId: 'dead', state: 'pending' });
    await living.memory.remember(question, { turnId: 'alive', state: 'pending' });
    const witness = await memoryOf(options);
    await witness.work.settled();
    expect(await statesOf(witness)).toEqual(['pending', 'pending']);
    dying.die();
    const changes: string[] = [];
    witness.addEventListener('change', ({ detail }) => changes.push(detail.source));
    const next = await memoryOf(options);
    await next.work.settled();
    expect(await statesOf(next)).toEqual(['failed', 'pending']);
    await eventually(() => expect(changes).toContain('remote'));
    const answer = { role: 'assistant' as const, content: 'Yes.' };
    await living.memory.remember({ messages: [...question.messages, answer] }, { turnId: 'alive' });
    expect(await statesOf(next)).toEqual(['failed', 'complete', 'complete']);
  });

  it('HIST-9: a page that takes over the lead marks the pending turns of the old leader as failed', async () => {
    const options = { name: newId(), sessionId: 's' };
    const dying = await memoryInFrame(options);
    await dying.memory.remember({ user: 'I like tea.', assistant: 'Ok.' });
    await dying.memory.work.settled(); // it leads
    const heir = await memoryOf(options);
    await heir.work.settled();
    await dying.memory.remember(question, { turnId: 'dead', state: 'pending' });
    dying.die();
    await eventually(async () => expect((await statesOf(heir)).at(-1)).toBe('failed'));
  });

  it('HIST-9: closing a memory leaves its turn pending, and a late answer completes it', async () => {
    const options = { name: newId(), sessionId: 's' };
    const first = await memoryOf(options);
    const { messageIds } = await first.remember(question, { turnId: 't', state: 'pending' });
    await first.close();
    const next = await memoryOf(options);
    await next.work.settled();
    expect(await statesOf(next)).toEqual(['failed']);
    const answer = { role: 'assistant' as const, content: 'Yes.' };
    const ended = await next.remember({ messages: [...question.messages, answer] }, { turnId: 't' });
    expect(ended.messageIds[0]).toBe(messageIds[0]);
    expect(await statesOf(next)).toEqual(['complete', 'complete']);
    expect(new Set((await next.search('there')).map((hit) => hit.message.turnId))).toEqual(new Set(['t']));
  });

  it('HIST-9: a chat that is answering is not disturbed when another memory opens', async () => {
    const options = { name: newId(), sessionId: 's' };
    const memory = await memoryOf(options);
    let answer: () => void = () => undefined;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    let hasAsked: () => void = () => undefined;
    const asked = new Promise<void>((resolve) => (hasAsked = resolve));
    const sent = withMemory(async () => {
      hasAsked();
      await answered;
      return { text: 'Yes.' };
    }, memory).send('Are you there?');
    await asked;
    const other = await memoryOf(options);
    await other.work.settled();
    expect(await statesOf(other)).toEqual(['pending']);
    answer();
    expect(await sent).toBe('Yes.');
    expect(await statesOf(other)).toEqual(['complete', 'complete']);
  });

  it('HIST-9: without Web Locks a pending turn is given up after a day', async () => {
    Object.defineProperty(navigator, 'locks', { value: undefined, configurable: true });
    const options = { name: newId(), sessionId: 's' };
    const first = await memoryOf(options);
    const createdAt = Date.now() - DAY_MS - 1_000;
    await first.remember(question, { turnId: 'old', state: 'pending', createdAt });
    await first.remember(question, { turnId: 'new', state: 'pending' });
    await first.close();
    const next = await memoryOf(options);
    await next.work.settled();
    expect(await statesOf(next)).toEqual(['failed', 'pending']);
  });

  it('HIST-9: which tab owns a turn is not part of a backup', async () => {
    const options = { name: newId(), sessionId: 's' };
    const memory = await memoryOf(options);
    await memory.remember(question, { turnId: 't', state: 'pending' });
    const database = await openDatabase({ name: options.name });
    const id = rowsOf(database).connection.presence?.id ?? '';
    await database.chatHistory('other').addMessages(question.messages, { turnId: 'u', state: 'pending' });
    database.close();
    await memory.work.settled();
    const text = await (await memory.backup.export()).text();
    expect(text).toContain('Are you there?');
    for (const word of [id, 'openedBy', 'isAbandoned']) expect(text).not.toContain(word);
    const copy = await memoryOf();
    await copy.backup.import(new Blob([text]));
    expect(await copy.history({ sessionId: 's' })).toMatchObject([{ turnId: 't', state: 'pending' }]);
  });
});
