import { beforeEach, describe, expect, inject, it } from 'vitest';
import { fetchLLM, withMemory, type Memory, type RecalledContext, type Warning } from '../../../src/index.ts';
import { newId } from '../../../src/model/id.ts';
import { dump } from '../../fixtures/databases/raw-database.ts';
import type { RecordedRequest, ScriptedReply } from '../../fakes/scripted-llm-server.ts';
import { yieldToEventLoop } from '../../../src/model/event-loop.ts';
import { eventually } from '../../fixtures/eventually.ts';
import { memoryOf as openMemory } from '../../fixtures/open-memory.ts';

const channel = `${inject('llmServerOrigin')}/memory-llm`;
const llm = fetchLLM({ url: `${channel}/v1`, model: 'm', sleep: async () => undefined });

function memoryOf(name = newId()): Promise<Memory> {
  return openMemory({ name, sessionId: 's' });
}

async function script(...replies: ScriptedReply[]): Promise<void> {
  await fetch(`${channel}/__script`, { method: 'POST', body: JSON.stringify(replies) });
}

async function requests(): Promise<RecordedRequest[]> {
  return (await fetch(`${channel}/__requests`)).json();
}

async function stored(memory: Memory): Promise<unknown[]> {
  return (await memory.history()).map(({ role, content, state }) => [role, content, state]);
}

beforeEach(async () => {
  await fetch(`${channel}/__reset`, { method: 'POST' });
});

describe('withMemory over HTTP', () => {
  it('CHAT-3: the endpoint receives the recalled context, and the answer is remembered for the next turn', async () => {
    const memory = await memoryOf();
    const contexts: RecalledContext[] = [];
    const chat = withMemory(llm, memory, {
      system: 'Be kind.',
      onContext: (context) => contexts.push(context),
    });
    await script({ kind: 'reply', text: 'Hello Max' }, { kind: 'stream', tokens: ['You ', 'said ', 'hi'] });
    expect(await chat.send('My dog is Max')).toBe('Hello Max');
    const pieces: string[] = [];
    for await (const piece of chat.stream('What did I say?')) pieces.push(piece);
    expect(pieces).toEqual(['You ', 'said ', 'hi']);
    const sent = await requests();
    expect(sent.map((request) => request.body.messages)).toEqual(contexts.map((context) => context.messages));
    expect(sent[1]?.body.messages.map((message) => message.content).slice(1)).toEqual([
      'My dog is Max',
      'Hello Max',
      'What did I say?',
    ]);
    expect(await stored(memory)).toEqual([
      ['user', 'My dog is Max', 'complete'],
      ['assistant', 'Hello Max', 'complete'],
      ['user', 'What did I say?', 'complete'],
      ['assistant', 'You said hi', 'complete'],
    ]);
  });

  it('CHAT-7: a connection that breaks during the answer leaves a failed turn with the partial answer', async () => {
    const memory = await memoryOf();
    const chat = withMemory(llm, memory);
    await script({ kind: 'cut', tokens: ['half ', 'an answer'], waits: true });
    let heard = '';
    const onToken = (text: string): void => {
      heard += text;
      if (heard === 'half an answer') void fetch(`${channel}/__cut`, { method: 'POST' });
    };
    await expect(chat.send('hi', { onToken })).rejects.toMatchObject({ code: 'llm-reply' });
    expect(heard).toBe('half an answer');
    expect(await stored(memory)).toEqual([
      ['user', 'hi', 'failed'],
      ['assistant', 'half an answer', 'failed'],
    ]);
    await script({ kind: 'reply', text: 'whole' });
    expect(await chat.send('hi again')).toBe('whole');
    const last = (await requests()).at(-1);
    expect(JSON.stringify(last?.body.messages)).not.toContain('half an answer');
  });

  it('CHAT-8: an abort during the answer closes the connection and leaves a cancelled turn, one before the call leaves nothing', async () => {
    const memory = await memoryOf();
    const chat = withMemory(llm, memory);
    await script({ kind: 'stream', tokens: Array.from({ length: 500 }, (_, at) => `${at} `), delayMs: 5 });
    const abort = new AbortController();
    const reason = new Error('stopped');
    let heard = '';
    const answer = chat.send('count', {
      signal: abort.signal,
      onToken: (text) => {
        heard += text;
        if (heard.includes('3 ')) abort.abort(reason);
      },
    });
    await expect(answer).rejects.toBe(reason);
    await eventually(async () => expect((await requests())[0]?.wasAborted).toBe(true));
    expect(await stored(memory)).toEqual([
      ['user', 'count', 'cancelled'],
      ['assistant', heard, 'cancelled'],
    ]);
    await expect(chat.send('never', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(await requests()).toHaveLength(1);
    expect(await memory.history()).toHaveLength(2);
  });

  it('CHAT-9: an answer that cannot be stored is still returned, with a warning', async () => {
    const name = newId();
    const memory = await memoryOf(name);
    const warnings: Warning[] = [];
    memory.addEventListener('warning', ({ detail }) => warnings.push(detail));
    const chat = withMemory(async (request) => {
      const reply = await llm(request);
      await memory.close();
      return reply;
    }, memory);
    await script({ kind: 'reply', text: 'the answer' });
    expect(await chat.send('a question')).toBe('the answer');
    expect(warnings).toMatchObject([{ code: 'save-failed', cause: { code: 'storage-closed' } }]);
    const reopened = await memoryOf(name);
    expect(await stored(reopened)).toEqual([['user', 'a question', 'pending']]);
    expect((await reopened.recall('question')).items).toEqual([]);
  });

  it('CHAT-17: two chats over one session answer one after the other', async () => {
    const name = newId();
    const memory = await memoryOf(name);
    const other = await memoryOf(name);
    let running = 0;
    const slow = async (): Promise<{ text: string }> => {
      running += 1;
      expect(running).toBe(1);
      for (let n = 0; n < 20; n += 1) await yieldToEventLoop(); // whoever does not wait comes in between
      running -= 1;
      return { text: 'done' };
    };
    await Promise.all([
      withMemory(slow, memory).send('a'),
      withMemory(slow, memory.session(memory.sessionId)).send('b'),
      withMemory(slow, other.session(memory.sessionId)).send('c'),
    ]);
    expect(await stored(memory)).toHaveLength(6);
  });

  it('CHAT-18: the tool calls beside an answer are stored in the turn', async () => {
    const memory = await memoryOf();
    const call = { id: '1', type: 'function', function: { name: 'clock', arguments: '{}' } } as const;
    await withMemory(async () => ({ text: 'I shall look.', toolCalls: [call] }), memory).send(
      'What time is it?',
    );
    expect(await memory.history()).toMatchObject([
      { role: 'user', state: 'complete' },
      { role: 'assistant', content: 'I shall look.', tool_calls: [call], state: 'complete' },
    ]);
  });

  it('CHAT-10: sends of one session reach the model one after the other, each knowing the previous answer', async () => {
    const memory = await memoryOf();
    const chat = withMemory(llm, memory);
    await script(
      { kind: 'slow', delayMs: 200, text: 'first' },
      { kind: 'error', status: 400 },
      { kind: 'reply', text: 'third' },
    );
    const answers = await Promise.allSettled([chat.send('a'), chat.send('b'), chat.send('c')]);
    expect(answers).toMatchObject([
      { value: 'first' },
      { status: 'rejected', reason: { code: 'llm-http' } },
      { value: 'third' },
    ]);
    const bodies = (await requests()).map((request) =>
      request.body.messages.slice(1).map((message) => message.content),
    );
    expect(bodies).toEqual([['a'], ['a', 'first', 'b'], ['a', 'first', 'c']]);
  });

  it('CHAT-11: an abort while waiting for an earlier answer leaves the queue and stores nothing', async () => {
    const memory = await memoryOf();
    const chat = withMemory(llm, memory);
    await script({ kind: 'slow', delayMs: 300, text: 'first' }, { kind: 'reply', text: 'third' });
    const abort = new AbortController();
    const first = chat.send('a');
    const second = chat.send('b', { signal: abort.signal });
    const third = chat.send('c');
    abort.abort(new Error('changed my mind'));
    await expect(second).rejects.toThrow('changed my mind');
    expect([await first, await third]).toEqual(['first', 'third']);
    expect((await memory.history()).map((message) => message.content)).toEqual(['a', 'first', 'c', 'third']);
  });

  it('REC-42: failed turns do not push the conversation out of the window', async () => {
    const memory = await memoryOf();
    const chat = withMemory(llm, memory);
    await script(
      { kind: 'reply', text: 'Hello Ada' },
      ...Array.from({ length: 20 }, () => ({ kind: 'error' as const, status: 400 })),
    );
    await chat.send('I am Ada');
    for (let attempt = 0; attempt < 20; attempt++) await chat.send('hm?').catch(() => undefined);
    await chat.send('Who am I?');
    const last = (await requests()).at(-1)?.body.messages.map((message) => message.content);
    expect(last?.slice(1)).toEqual(['I am Ada', 'Hello Ada', 'Who am I?']);
    await chat.send('And now?');
    const { items } = await memory.recall('zzz');
    expect(items.map((item) => item.text.split('\n')[0])).toEqual([
      'Human: I am Ada',
      'Human: Who am I?',
      'Human: And now?',
    ]);
  });

  it('CHAT-13: a turn forgotten while it is being answered stays forgotten, however it ends', async () => {
    const name = newId();
    const memory = await memoryOf(name);
    for (const reply of [
      { kind: 'slow', delayMs: 50, text: 'quokkaanswer' },
      { kind: 'error', status: 400 },
    ] as const) {
      const forgetting = withMemory(async (request) => {
        await memory.forget({ everything: true });
        return llm(request);
      }, memory);
      await script(reply);
      const [result] = await Promise.allSettled([forgetting.send('quokkaquestion')]);
      if (result?.status === 'fulfilled') expect(result.value).toBe('quokkaanswer');
      expect(await memory.history()).toEqual([]);
      expect(await memory.sessions()).toEqual([]);
      expect(JSON.stringify(await dump(name))).not.toContain('quokka');
    }
  });

  it('CHAT-12: invalid input is rejected before the model is called', async () => {
    const memory = await memoryOf();
    const chat = withMemory(llm, memory);
    await expect(chat.send(5 as never)).rejects.toMatchObject({ name: 'MnemoraError' });
    await expect(chat.send('x'.repeat(2_000_001))).rejects.toMatchObject({ name: 'MnemoraError' });
    await memory.close();
    await expect(chat.send('hi')).rejects.toMatchObject({ code: 'storage-closed' });
    expect(await requests()).toEqual([]);
  });
});
