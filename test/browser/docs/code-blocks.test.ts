import { expect, inject, it, onTestFinished, vi } from 'vitest';
import { fakeLanguageModel } from '../../fakes/fake-language-model.ts';

/** The blocks of the documents as modules, and what they print; `test/docs/blocks-global-setup.ts` has written them. */
const blocks = import.meta.glob<unknown>('/.cache/docs/pages/*-[0-9]*.{ts,tsx}');
const printed = import.meta.glob<unknown[]>('/.cache/docs/pages/printed/*.js', { import: 'default' });

const SERVER = inject('llmServerOrigin');
const MODEL_PATH = /\/(?:v1\/chat\/completions|v1\/messages|api\/chat)$/u;

it.each(Object.keys(blocks))(
  'DOC-2: the block in %s runs as it stands, and prints what its comments say',
  async (file) => {
    const channel = `${SERVER}/docs-${file.split('/').at(-1)}`;
    const answers = Array.from({ length: 20 }, () => ({ kind: 'reply', text: 'I will keep that in mind.' }));
    await fetch(`${channel}/__script`, { method: 'POST', body: JSON.stringify(answers) });
    routeModels(channel);
    vi.stubGlobal('LanguageModel', fakeLanguageModel());
    const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
    onTestFinished(async () => {
      vi.unstubAllGlobals();
      vi.restoreAllMocks();
      document.body.replaceChildren();
      await deleteDatabases();
      localStorage.clear(); // otherwise the next block is told that its database was lost
    });

    await blocks[file]?.();
    const expected = await printed[file.replace('/pages/', '/pages/printed/').concat('.js')]?.();
    expect(log.mock.calls.map(([value]): unknown => value)).toEqual(expected);
  },
);

/** Sends requests to any model's endpoint to the scripted server, so that a block can name the address of a real one. */
function routeModels(channel: string): void {
  const original = globalThis.fetch;
  vi.stubGlobal('fetch', (input: RequestInfo | URL, init?: RequestInit) => {
    const url = input instanceof Request ? input.url : String(input);
    const [path] = MODEL_PATH.exec(url) ?? [];
    return path === undefined ? original(input, init) : original(`${channel}${path}`, init);
  });
}

/** Deletes what a block has stored; a memory that is still open closes when its database is deleted. */
async function deleteDatabases(): Promise<void> {
  for (const { name = '' } of await indexedDB.databases()) {
    await new Promise<void>((resolve, reject) => {
      const request = indexedDB.deleteDatabase(name);
      request.onsuccess = () => resolve();
      request.onerror = () => reject(request.error ?? new Error(`${name} was not deleted.`));
    });
  }
}
