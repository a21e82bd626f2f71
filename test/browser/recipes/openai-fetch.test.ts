import { expect, inject, it, onTestFinished } from 'vitest';
import { ask } from '../../../demo/examples/recipes/openai-fetch.ts';
import { createMemory } from '../../../src/index.ts';
import { newId } from '../../../src/model/id.ts';
import type { RecordedRequest, ScriptedReply } from '../../fakes/scripted-llm-server.ts';

const channel = `${inject('llmServerOrigin')}/recipe-fetch`;
const endpoint = { url: `${channel}/v1`, model: 'scripted' };

it('RCP-6: an endpoint receives by fetch what memory recalls; an answer is remembered, and a failure is not', async () => {
  const name = `fetch-recipe-${newId()}`;
  const memory = await createMemory({ name, embedder: false });
  onTestFinished(async () => {
    await memory.close();
    indexedDB.deleteDatabase(name);
  });
  const told = { user: 'My sister Nora lives in Oslo.', assistant: 'Nice city.' };
  await memory.session('before').remember(told);
  await script({ kind: 'reply', text: 'In Oslo.' }, { kind: 'error', status: 500 });
  expect(await ask(endpoint, memory, 'Where does my sister live?')).toBe('In Oslo.');
  await expect(ask(endpoint, memory, 'And my brother?')).rejects.toThrow('status 500');

  const requests = (await (await fetch(`${channel}/__requests`)).json()) as RecordedRequest[];
  expect(requests[0]?.body.model).toBe('scripted');
  expect(JSON.stringify(requests[0]?.body.messages.at(-1))).toContain('> My sister Nora lives in Oslo.');
  const history = await memory.history();
  expect(history.map(({ content }) => content)).toEqual(['Where does my sister live?', 'In Oslo.']);
});

async function script(...replies: ScriptedReply[]): Promise<void> {
  await fetch(`${channel}/__script`, { method: 'POST', body: JSON.stringify(replies) });
}
