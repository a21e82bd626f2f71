import { Agent, MemorySession, run, setTracingDisabled, tool, type Session } from '@openai/agents';
import { assistantMessage, functionCall, ScriptedModel } from '@openai/agents/testing';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { agentsSession } from '../../../demo/examples/recipes/openai-agents.ts';
import { createMemory, type Memory } from '../../../src/index.ts';
import { newId } from '../../../src/model/id.ts';

beforeAll(() => setTracingDisabled(true)); // traces would be sent to OpenAI

it('RCP-4: a run of the Agents SDK goes on with the session that an earlier page has stored, tool calls included', async () => {
  const name = newName();
  const memory = await createMemory({ name, embedder: false });
  const clock = tool({
    name: 'clock',
    description: 'Tells the time.',
    parameters: { type: 'object', properties: {}, required: [], additionalProperties: false },
    strict: true,
    execute: () => 'noon',
  });
  const first = new ScriptedModel([
    [functionCall('clock', {}, { callId: 'c1' })],
    [assistantMessage('It is noon.')],
  ]);
  const timekeeper = new Agent({ name: 'Timekeeper', model: first, tools: [clock] });
  const asked = await run(timekeeper, 'What time is it?', { session: agentsSession(memory, 'today') });
  expect(asked.finalOutput).toBe('It is noon.');
  await memory.close();

  const reopened = await createMemory({ name, embedder: false });
  onTestFinished(() => reopened.close());
  const second = new ScriptedModel([[assistantMessage('As I said, noon.')]]);
  const again = new Agent({ name: 'Timekeeper', model: second, tools: [clock] });
  const session = agentsSession(reopened, 'today');
  await run(again, 'Once more?', { session });
  expect(second.lastCall?.request.input).toMatchObject([
    { role: 'user', content: 'What time is it?' },
    { type: 'function_call', callId: 'c1' },
    { type: 'function_call_result', callId: 'c1' },
    { role: 'assistant' },
    { role: 'user', content: 'Once more?' },
  ]);
  expect(await session.getItems()).toHaveLength(6);
  expect(await session.getSessionId()).toBe('today');
});

it("RCP-4: the session lists, limits, pops and clears as the SDK's own MemorySession does", async () => {
  const memory = await openMemory();
  const sessions: Session[] = [agentsSession(memory, 's'), new MemorySession({ sessionId: 's' })];
  const results = await Promise.all(
    sessions.map(async (session) => {
      await session.addItems([]);
      await session.addItems([user('one'), user('two')]);
      await session.addItems([user('three')]);
      const listed = [
        await session.getItems(),
        await session.getItems(2),
        await session.getItems(0),
        await session.getItems(9),
      ];
      const popped = [await session.popItem(), await session.popItem()];
      await session.addItems([user('four')]);
      const rest = await session.getItems();
      await session.clearSession();
      return [await session.getSessionId(), listed, popped, rest, await session.popItem()];
    }),
  );
  expect(results[0]).toEqual(results[1]);
});

it('RCP-4: two tabs that add to a session at once lose nothing, and forgetting the session erases its items', async () => {
  const memory = await openMemory();
  await memory.session('s').remember({ user: 'Hello.', assistant: 'Hello!' });
  const tabs = [agentsSession(memory, 's'), agentsSession(memory, 's')];
  await Promise.all(tabs.map((tab, index) => tab.addItems([user(`${index}`)])));
  expect(await agentsSession(memory, 's').getItems()).toHaveLength(2);
  await memory.forget({ sessionId: 's' });
  expect(await agentsSession(memory, 's').getItems()).toEqual([]);
});

function user(content: string): { role: 'user'; content: string } {
  return { role: 'user', content };
}

async function openMemory(): Promise<Memory> {
  const memory = await createMemory({ name: newName(), embedder: false });
  onTestFinished(() => memory.close());
  return memory;
}

function newName(): string {
  const name = `agents-recipe-${newId()}`;
  onTestFinished(() => void indexedDB.deleteDatabase(name));
  return name;
}
