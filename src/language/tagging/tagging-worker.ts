/** The worker that finds word classes, so that loading them does not block the page. Built as `tagging-worker.js`. */
import { holdLifeLock } from '../../model/worker-life.ts';
import {
  type TaggingAnswer,
  type TaggingRequest,
  type TaggingStart,
  TAGGING_VERSION,
} from './tagging-protocol.ts';
import { loadWordClasses } from './word-classes.ts';

// The global scope of a worker has the methods that the worker has on the page.
const page = globalThis as unknown as Pick<Worker, 'addEventListener' | 'postMessage'>;

page.addEventListener('message', ({ data }: MessageEvent<TaggingRequest>) => {
  answer(data).catch(reportError); // the page gets it as an error of the worker
});

// Told before the first answer, so that the page notices a worker that is killed in the middle.
const started = start();

async function start(): Promise<void> {
  const lifeLock = await holdLifeLock();
  if (lifeLock !== undefined) page.postMessage({ version: TAGGING_VERSION, lifeLock } satisfies TaggingStart);
}

async function answer({ id, sentences }: TaggingRequest): Promise<void> {
  await started;
  const wordClasses = await loadWordClasses();
  const words = sentences.map((sentence) => wordClasses(sentence));
  page.postMessage({ version: TAGGING_VERSION, id, words } satisfies TaggingAnswer);
}
