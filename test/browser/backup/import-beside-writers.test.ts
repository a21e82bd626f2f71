import { expect, it } from 'vitest';
import { createMemory, openDatabase, type ChatMessage } from '../../../src/index.ts';
import { newId } from '../../../src/model/id.ts';

const TURNS = 1500;
const SESSIONS = 10;
const WRITTEN = 20;
/** Much shorter than the import takes. */
const PATIENCE_MS = 400;
const NO_WORK = { embedder: false, learning: false } as const;

async function exported(): Promise<Blob> {
  const name = newId();
  const database = await openDatabase({ name });
  for (let session = 0; session < SESSIONS; session += 1) {
    const messages = Array.from({ length: TURNS / SESSIONS }, (_, n): ChatMessage[] => [
      { role: 'user', content: `Question ${n} of session ${session}?` },
      { role: 'assistant', content: 'An answer that says a little more than that.' },
    ]);
    await database.chatHistory(`s${session}`).addMessages(messages.flat());
  }
  const memory = await createMemory({ database, ...NO_WORK });
  const blob = await memory.backup.export();
  await memory.close();
  await database.delete();
  return blob;
}

it('STO-71: no turn is refused while a large backup is imported, however short the patience of its tab', async () => {
  const blob = await exported();
  const name = newId();
  const target = await openDatabase({ name, blockedTimeoutMs: PATIENCE_MS });
  const memory = await createMemory({ database: target, ...NO_WORK });
  await memory.remember({ user: 'Hello.', assistant: 'Hi.' });
  const others = await Promise.all([1, 2].map(() => openDatabase({ name, blockedTimeoutMs: PATIENCE_MS })));
  const writers = await Promise.all(others.map((database) => createMemory({ database, ...NO_WORK })));
  const write = async (writer: (typeof writers)[number]): Promise<void> => {
    for (let n = 0; n < WRITTEN; n += 1) await writer.remember({ user: `Told ${n}.`, assistant: 'Noted.' });
  };
  const [receipt] = await Promise.all([memory.backup.import(blob), ...writers.map(write)]);
  expect(receipt.messages).toBe(2 * TURNS);
  for (const writer of writers) expect(await writer.history()).toHaveLength(2 * WRITTEN);
  expect((await memory.backup.verify()).ok).toBe(true);
  for (const each of [memory, ...writers]) await each.close();
  for (const database of others) database.close();
  await target.delete();
}, 120_000);
