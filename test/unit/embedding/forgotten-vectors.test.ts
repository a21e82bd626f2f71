import { expect, it } from 'vitest';
import { createMemory } from '../../../src/client/create-memory.ts';
import {
  PROTOCOL_VERSION,
  type MessageFromWorker,
  type MessageToWorker,
} from '../../../src/embedding/protocol.ts';
import { transformersEmbedder } from '../../../src/embedding/transformers-embedder.ts';
import { deferred } from '../../../src/model/abortable.ts';
import { engineOf } from '../../../src/sessions/memory-database.ts';
import { openDatabase } from '../../../src/sessions/open-database.ts';
import { hashEmbedder } from '../../fakes/hash-embedder.ts';

/** Embeds texts by their length, and records them. */
class RecordingWorker extends EventTarget {
  readonly texts: string[] = [];

  postMessage(message: MessageToWorker): void {
    if (message.type === 'load') {
      this.#reply({ type: 'started', version: PROTOCOL_VERSION });
      this.#reply({ type: 'loaded', dimensions: 2 });
    } else if (message.type === 'embed') {
      this.texts.push(...message.texts);
      const vectors = message.texts.map(({ length }) => Float32Array.of(length, 1));
      this.#reply({ type: 'embedded', batch: message.batch, vectors });
    }
  }

  terminate(): void {
    // There is nothing to end.
  }

  #reply(data: MessageFromWorker): void {
    queueMicrotask(() => this.dispatchEvent(new MessageEvent('message', { data })));
  }
}

const TEXT = 'My illness is gout.';

it('EMB-76: the vector of a forgotten message is not cached', async () => {
  const worker = new RecordingWorker();
  const embedder = transformersEmbedder({
    worker: () => worker as unknown as Worker,
    model: 'test/model',
    assetsUrl: 'http://localhost/',
  });
  await using memory = await createMemory({ storage: 'memory', learning: false, embedder });
  const { turnId } = await memory.remember({ user: TEXT, assistant: 'Sorry.' });
  await memory.work.settled();
  await embedder.embed([`User: ${TEXT}`]);
  expect(worker.texts).toHaveLength(2);
  await memory.forget({ turnId });
  await memory.work.settled();
  await embedder.embed([`User: ${TEXT}`]);
  expect(worker.texts).toHaveLength(3);
  await memory.remember({ user: 'The boat is blue.', assistant: 'Noted.' });
  await memory.work.settled();
  await embedder.embed([`User: ${TEXT}`]);
  expect(worker.texts).toHaveLength(5);
});

it('EMB-76: a message that is replaced while it is embedded has no vector', async () => {
  const gate = deferred<undefined>();
  const started = deferred<undefined>();
  const embedder = hashEmbedder({
    before: () => {
      started.resolve(undefined);
      return gate.promise;
    },
  });
  await using database = await openDatabase({ storage: 'memory' });
  await using memory = await createMemory({ database, learning: false, embedder });
  const old = await memory.remember({ user: TEXT, assistant: 'Sorry.' });
  await started.promise;
  const renewed = await memory.remember(
    { user: 'My dog is fine.', assistant: 'Good.' },
    { replaces: old.turnId },
  );
  gate.resolve(undefined);
  await memory.work.settled();
  const blocks = await engineOf(database).read(['vectors'], (transaction) =>
    transaction.objectStore('vectors').getAll(),
  );
  expect(blocks.flatMap(({ ids }) => ids).toSorted()).toEqual(renewed.messageIds.toSorted());
});
