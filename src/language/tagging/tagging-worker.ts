/** The worker that finds word classes, so that loading them does not block the page. Built as `tagging-worker.js`. */
import { type TaggingAnswer, type TaggingRequest, TAGGING_VERSION } from './tagging-protocol.ts';
import { loadWordClasses } from './word-classes.ts';

// The global scope of a worker has the methods that the worker has on the page.
const page = globalThis as unknown as Pick<Worker, 'addEventListener' | 'postMessage'>;

page.addEventListener('message', ({ data }: MessageEvent<TaggingRequest>) => {
  answer(data).catch(reportError); // the page gets it as an error of the worker
});

async function answer({ id, sentences }: TaggingRequest): Promise<void> {
  const wordClasses = await loadWordClasses();
  const words = sentences.map((sentence) => wordClasses(sentence));
  page.postMessage({ version: TAGGING_VERSION, id, words } satisfies TaggingAnswer);
}
