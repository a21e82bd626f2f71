import { MnemoraError, type JsonValue, type Memory, type RecordStore } from '../../index.ts';
import { noteCreated } from '../ai-sdk/chats/deleted-chats.ts';
import { invalidInput } from '../../model/error.ts';
import { isRecord } from '../../model/is-record.ts';
import { prefixOf, splitKey } from '../record-key.ts';

const NAMESPACE = 'assistant-ui/threads';

/**
 * Stored fields of a thread. Each field has its own record, so that two tabs that change different fields do not
 * conflict.
 */
export interface ThreadFields {
  /** Milliseconds since 1970. */
  createdAt?: number;
  isArchived?: boolean;
  title?: string;
  custom?: Record<string, unknown>;
}

type Field = keyof ThreadFields;

/**
 * Records a thread that has no messages yet. Does nothing if the thread is already known.
 *
 * @throws MnemoraError `invalid-input`
 */
export async function createThread(memory: Memory, threadId: string): Promise<void> {
  requireId(threadId);
  const records = memory.records(NAMESPACE);
  const key = keyOf(threadId, 'createdAt');
  if ((await records.get(key)) !== undefined) return;
  await records.put(key, true, { sessionId: threadId });
  await noteCreated(memory, threadId);
}

/** Stores a field of a thread, or removes it. @throws MnemoraError `not-found` if there is no such thread */
export async function putField(
  memory: Memory,
  threadId: string,
  field: Field,
  value: JsonValue | undefined,
): Promise<void> {
  const records = memory.records(NAMESPACE);
  const key = keyOf(threadId, field);
  const erase = (): Promise<void> => records.delete(key);
  await writeToThread(memory, threadId, {
    write: value === undefined ? erase : () => records.put(key, value, { sessionId: threadId }),
    erase,
  });
}

/**
 * Writes to a thread. If it is deleted meanwhile, here or in another tab, `erase` removes what was written since then.
 *
 * @throws MnemoraError `not-found` if there is no such thread
 */
export async function writeToThread(
  memory: Memory,
  threadId: string,
  { write, erase }: { write(): Promise<void>; erase(): Promise<void> },
): Promise<void> {
  await requireThread(memory, threadId);
  await write();
  try {
    await requireThread(memory, threadId);
  } catch (error) {
    if (error instanceof MnemoraError && error.code === 'not-found') await erase();
    throw error;
  }
}

/** Returns the stored fields of all threads, by thread id. */
export async function listThreadFields(memory: Memory): Promise<Map<string, ThreadFields>> {
  return fieldsIn(await memory.records(NAMESPACE).list());
}

/** Returns the stored fields of a thread, or an empty object. */
export async function getThreadFields(memory: Memory, threadId: string): Promise<ThreadFields> {
  const rows = await memory.records(NAMESPACE).list({ prefix: prefixOf(threadId) });
  return fieldsIn(rows).get(threadId) ?? {};
}

/** Checks that a thread was created, or has messages. @throws MnemoraError `invalid-input`, `not-found` */
export async function requireThread(memory: Memory, threadId: string): Promise<void> {
  requireId(threadId);
  const isCreated = (await memory.records(NAMESPACE).get(keyOf(threadId, 'createdAt'))) !== undefined;
  if (isCreated || (await memory.sessions()).some(({ id }) => id === threadId)) return;
  throw new MnemoraError(
    'not-found',
    `The thread "${threadId}" does not exist or was deleted. Nothing was changed.`,
  );
}

function requireId(threadId: string): void {
  if (typeof threadId !== 'string' || threadId === '')
    throw invalidInput('The id of a thread must be a non-empty string.');
}

function fieldsIn(rows: Awaited<ReturnType<RecordStore['list']>>): Map<string, ThreadFields> {
  const threads = new Map<string, ThreadFields>();
  for (const { key, value, updatedAt } of rows) {
    const [threadId, field] = splitKey(key);
    const fields = threads.get(threadId) ?? {};
    threads.set(threadId, fields);
    if (field === 'createdAt') fields.createdAt = updatedAt;
    else if (field === 'isArchived') fields.isArchived = value === true;
    else if (field === 'title' && typeof value === 'string') fields.title = value;
    else if (field === 'custom' && isRecord(value)) fields.custom = value;
  }
  return threads;
}

function keyOf(threadId: string, field: Field): string {
  return `${prefixOf(threadId)}${field}`;
}
