import type { GenericThreadHistoryAdapter } from '@assistant-ui/react';
import type { UIMessage } from 'ai';
import * as fc from 'fast-check';
import type { Memory } from '../../src/index.ts';
import { putUITurn } from '../../src/integrations/ai-sdk/chats/chat-turns.ts';
import { memoryThreadHistory, memoryThreadList } from '../../src/integrations/assistant-ui.ts';
import { messageText } from '../../src/model/message.ts';
import { said, uiMessageFormat } from './ui-message-format.ts';

/** What a page does with a thread. */
export interface ThreadStep {
  readonly do: 'append' | 'turn' | 'update' | 'delete' | 'forgetTurn' | 'rename' | 'archive' | 'deleteThread';
  readonly thread: string;
  /** Chooses a row of the thread, or none. */
  readonly nth: number;
}

const WEIGHTS: Readonly<Record<ThreadStep['do'], number>> = {
  append: 6,
  turn: 3,
  update: 3,
  delete: 2,
  forgetTurn: 1,
  rename: 1,
  archive: 1,
  deleteThread: 1,
};

export const threadSteps: fc.Arbitrary<ThreadStep[]> = fc.array(
  fc.record({
    do: fc.oneof(
      ...Object.entries(WEIGHTS).map(([name, weight]) => ({
        weight,
        arbitrary: fc.constant(name as ThreadStep['do']),
      })),
    ),
    thread: fc.constantFrom('one', 'one two', 'trois/é'),
    nth: fc.nat(30),
  }),
  { maxLength: 30 },
);

/** Threads by id, as a page shows them: rows as `id<parent: text`, in order. */
export type ShownThreads = Readonly<Record<string, ShownThread>>;

interface ShownThread {
  readonly name: string | undefined;
  readonly status: 'regular' | 'archived';
  readonly head: string | null;
  readonly rows: readonly string[];
}

interface ModelRow {
  readonly id: string;
  readonly parent: ModelRow | undefined;
  readonly turnId: string | undefined;
  text: string;
  isThere: boolean;
}

interface ModelThread {
  name: string | undefined;
  isArchived: boolean;
  readonly rows: ModelRow[];
}

/** Does the steps with the adapters and with a model of them, and returns what the model says is shown. */
export async function runThreadSteps(memory: Memory, steps: readonly ThreadStep[]): Promise<ShownThreads> {
  const model = new Map<string, ModelThread>();
  const list = memoryThreadList(memory);
  let count = 0;
  for (const { do: what, thread: id, nth } of steps) {
    const history = historyOf(memory, id);
    const known = model.get(id);
    const present = known?.rows.filter(({ isThere }) => isThere) ?? [];
    const chosen = present.length === 0 ? undefined : present[nth % (present.length + 1)];
    const message = (row: ModelRow): UIMessage =>
      said(row.id, row.turnId === undefined ? 'user' : roleOf(row), row.text);
    const append = async (row: ModelRow): Promise<void> => {
      await history.append({ parentId: row.parent?.id ?? null, message: message(row) });
      const threadNow = model.get(id) ?? { name: undefined, isArchived: false, rows: [] };
      model.set(id, threadNow);
      threadNow.rows.push(row);
    };
    count += 1;
    const newRow = (name: string, parent: ModelRow | undefined, turnId?: string): ModelRow => ({
      id: `${name}${count}`,
      parent,
      turnId,
      text: `${name} ${count}`,
      isThere: true,
    });
    if (what === 'append') {
      await append(newRow('m', chosen));
    } else if (what === 'turn') {
      const question = newRow('u', chosen, `turn ${count}`);
      const answer = newRow('a', question, `turn ${count}`);
      const turn = { user: question.text, assistant: answer.text };
      const receipt = await memory.remember(turn, { sessionId: id, turnId: `turn ${count}` });
      await putUITurn(memory, id, receipt, [question, answer].map(message));
      await append(question);
      await append(answer);
    } else if (what === 'update' && chosen) {
      chosen.text = `changed ${count}`;
      await history.update?.({ parentId: chosen.parent?.id ?? null, message: message(chosen) }, chosen.id);
    } else if (what === 'delete' && chosen) {
      await history.delete?.([{ parentId: null, message: message(chosen) }]);
      chosen.isThere = false;
    } else if (what === 'forgetTurn' && chosen?.turnId !== undefined) {
      await memory.forget({ turnId: chosen.turnId });
      for (const row of present) if (row.turnId === chosen.turnId) row.isThere = false;
    } else if (what === 'rename' && known) {
      known.name = `name ${count}`;
      await list.rename(id, known.name);
    } else if (what === 'archive' && known) {
      known.isArchived = nth % 2 === 0;
      await (known.isArchived ? list.archive(id) : list.unarchive(id));
    } else if (what === 'deleteThread' && known) {
      await list.delete(id);
      model.delete(id);
    }
  }
  return Object.fromEntries(Array.from(model, ([id, each]) => [id, shownModel(each)]));
}

/** Returns what the adapters of a memory show. */
export async function shownThreads(memory: Memory): Promise<ShownThreads> {
  const { threads } = await memoryThreadList(memory).list();
  const titles = new Map((await memory.sessions()).map(({ id, title }) => [id, title]));
  const shown = threads.map(async ({ remoteId, title, status }) => {
    const { headId = null, messages } = await historyOf(memory, remoteId).load();
    const rows = messages.map(
      ({ parentId, message: { id, parts } }) =>
        `${id}<${String(parentId)}: ${parts.map((part) => ('text' in part ? part.text : '')).join('')}`,
    );
    // A thread without a name shows the title of its session or, without a question, its first message.
    const [first] = await memory.history({ sessionId: remoteId });
    const given = titles.get(remoteId) || (first && messageText(first));
    const name = title === (given || undefined) ? undefined : title;
    return [remoteId, { name, status, head: headId, rows }] as const;
  });
  return Object.fromEntries(await Promise.all(shown));
}

function shownModel({ name, isArchived, rows }: ModelThread): ShownThread {
  const present = rows.filter(({ isThere }) => isThere);
  return {
    name,
    status: isArchived ? 'archived' : 'regular',
    head: present.at(-1)?.id ?? null,
    rows: present.map((row) => `${row.id}<${String(parentOf(row)?.id ?? null)}: ${row.text}`),
  };
}

function parentOf({ parent }: ModelRow): ModelRow | undefined {
  return parent === undefined || parent.isThere ? parent : parentOf(parent);
}

function roleOf({ id }: ModelRow): 'user' | 'assistant' {
  return id.startsWith('u') ? 'user' : 'assistant';
}

function historyOf(memory: Memory, threadId: string): GenericThreadHistoryAdapter<UIMessage> {
  const history = memoryThreadHistory(memory, threadId).withFormat?.(uiMessageFormat);
  if (!history) throw new Error('The history has no withFormat.');
  return history;
}
