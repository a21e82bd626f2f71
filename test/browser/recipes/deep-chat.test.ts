import { DeepChat } from 'deep-chat';
import { expect, it, onTestFinished } from 'vitest';
import { connectMemory } from '../../../demo/examples/recipes/deep-chat.ts';
import { createMemory, type LLM, type Memory } from '../../../src/index.ts';
import { newId } from '../../../src/model/id.ts';

it('RCP-5: a <deep-chat> element streams an answer from what memory recalls, and shows the session when it is made again', async () => {
  const { memory, name } = await openMemory();
  const prompts: string[] = [];
  const llm: LLM = async ({ messages, onToken }) => {
    prompts.push(JSON.stringify(messages));
    for (const piece of ['In ', 'Oslo.']) onToken?.(piece);
    return { text: 'In Oslo.' };
  };
  const told = { user: 'My sister Nora lives in Oslo.', assistant: 'Nice city.' };
  await memory.session('before').remember(told);
  const element = await show(llm, memory);
  element.submitUserMessage({ text: 'Where does my sister live?' });
  await expect.poll(() => shown(element)).toEqual(['Where does my sister live?', 'In Oslo.']);
  expect(prompts[0]).toContain('My sister Nora lives in Oslo.');
  await expect
    .poll(async () => (await memory.history()).map(({ state }) => state))
    .toEqual(['complete', 'complete']);
  await memory.close();

  const { memory: reopened } = await openMemory(name);
  const again = await show(llm, reopened);
  await expect.poll(() => shown(again)).toEqual(['Where does my sister live?', 'In Oslo.']);
});

it('RCP-5: an answer that is stopped in the element is kept as cancelled, and one that fails is shown as an error', async () => {
  const { memory } = await openMemory();
  const waiting: LLM = ({ onToken, signal }) => {
    onToken?.('Let me ');
    return new Promise((_resolve, reject) =>
      signal?.addEventListener('abort', () => reject(signal.reason as Error)),
    );
  };
  const element = await show(waiting, memory);
  element.submitUserMessage({ text: 'Are you there?' });
  await expect.poll(() => shown(element).at(-1)).toContain('Let me');
  element.shadowRoot?.querySelector<HTMLElement>('.input-button')?.click();
  await expect
    .poll(async () => (await memory.history()).map(({ state }) => state))
    .toEqual(['cancelled', 'cancelled']);

  const failing = await show(() => Promise.reject(new Error('The model is down.')), memory);
  failing.submitUserMessage({ text: 'And now?' });
  await expect.poll(() => failing.shadowRoot?.textContent).toContain('The model is down.');
});

async function show(llm: LLM, memory: Memory): Promise<DeepChat> {
  const element = new DeepChat();
  onTestFinished(() => element.remove());
  document.body.append(element);
  const input = (): Element | null | undefined => element.shadowRoot?.querySelector('#text-input');
  await expect.poll(input).toBeTruthy();
  await connectMemory(element, llm, memory);
  element.errorMessages = { displayServiceErrorMessages: true };
  // The element is rendered again after its properties have changed, and only then calls the new handler.
  const former = input();
  await expect.poll(() => [former, null].includes(input() ?? null)).toBe(false);
  return element;
}

function shown(element: DeepChat): string[] {
  return element.getMessages().map(({ text }) => text ?? '');
}

async function openMemory(name: string = `deep-chat-${newId()}`): Promise<{ memory: Memory; name: string }> {
  const memory = await createMemory({ name, sessionId: 'main', embedder: false });
  onTestFinished(async () => {
    await memory.close();
    indexedDB.deleteDatabase(name);
  });
  return { memory, name };
}
