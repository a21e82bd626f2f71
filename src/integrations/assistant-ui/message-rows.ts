import {
  MnemoraError,
  type JsonValue,
  type Memory,
  type RecordStore,
  type StoredRecord,
} from '../../index.ts';
import {
  listChatTurns,
  listShownTurns,
  shows,
  storedIdsOf,
  type ChatTurn,
  type ShownTurn,
} from '../ai-sdk/chats/chat-turns.ts';
import { invalidInput } from '../../model/error.ts';
import { matchTurns, type MatchedRow, type MessageRow } from './match-turns.ts';
import { messageTree, type MessageLink } from './message-tree.ts';
import { prefixOf } from '../record-key.ts';
import { requireThread, writeToThread } from './thread-records.ts';

/** Converts a message of a stored turn to the content of a row. */
export type ContentOfMessage = (message: ChatTurn['shown'][number], turn: ChatTurn) => JsonValue;

/** The messages of a thread in one format, and the last one of the branch that was written to last. */
export interface StoredThread {
  readonly messages: readonly MessageRow[];
  readonly headId: string | null;
}

interface StoredRow {
  readonly row: MessageRow;
  readonly messageIds: readonly string[];
}

/**
 * Messages of a thread. Each has a row with its content, which is erased with the stored messages that it shows, and a
 * link with its position in the thread.
 */
export class MessageRows {
  readonly #memory: Memory;
  readonly #threadId: string;
  readonly #rows: RecordStore;
  readonly #links: RecordStore;

  constructor(memory: Memory, threadId: string) {
    this.#memory = memory;
    this.#threadId = threadId;
    this.#rows = memory.records('assistant-ui/messages');
    this.#links = memory.records('assistant-ui/links');
  }

  /** Loads the messages of one format, with those of turns without a row if there is a `contentOf`. */
  async load(format: string, contentOf: ContentOfMessage | undefined): Promise<StoredThread> {
    const [links, stored] = await Promise.all([this.#listLinks(), this.#listRows()]);
    const contents = new Map<string, JsonValue>();
    if (contentOf) {
      for (const turn of (await this.#matchUntied(stored)).unmatched)
        for (const message of turn.shown) contents.set(message.id, contentOf(message, turn));
    }
    const spoken = [...contents.keys()];
    for (const { row } of stored) {
      if (row.format !== format) continue;
      contents.set(row.id, row.content);
      if (!links.has(row.id)) links.set(row.id, { parentId: row.parent_id, position: Infinity });
    }
    const { messages, headId } = messageTree(links, new Set(contents.keys()), spoken);
    const rows = messages.map(({ id, parentId }) => ({
      id,
      parent_id: parentId,
      format,
      content: contents.get(id) ?? null,
    }));
    return { messages: rows, headId };
  }

  /** Writes a row, replacing the one with its id. @throws MnemoraError `not-found`, `invalid-input` */
  async put(row: MessageRow): Promise<void> {
    await writeToThread(this.#memory, this.#threadId, {
      write: () => this.#write(row),
      erase: () => this.#eraseAll(),
    });
  }

  async #eraseAll(): Promise<void> {
    for (const records of [this.#rows, this.#links]) {
      const left = await records.list({ prefix: prefixOf(this.#threadId) });
      for (const { key } of left) await records.delete(key);
    }
  }

  async #write(row: MessageRow): Promise<void> {
    const { id, parent_id: parentId } = row;
    const [links, turns] = await Promise.all([
      this.#listLinks(),
      listShownTurns(this.#memory, this.#threadId),
    ]);
    if (parentId === id) throw invalidInput(`The message "${id}" cannot be its own parent.`);
    if (parentId !== null && !links.has(parentId) && !turns.some((turn) => shows(turn, parentId))) {
      const spoken = await listChatTurns(this.#memory, this.#threadId);
      if (!spoken.some((turn) => shows(turn, parentId)))
        throw this.#notFound(parentId, `"${id}", which follows it, was not stored`);
    }
    const turn = turns.findLast((each) => shows(each, id));
    const known = links.get(id);
    const position =
      known?.position ?? Math.max(-1, ...Array.from(links.values(), (link) => link.position)) + 1;
    const turnId = turn?.turnId ?? known?.turnId;
    await this.#putLink(id, { parentId, position, ...(turnId === undefined ? {} : { turnId }) });
    const before = turn ? undefined : await this.#findRow(id);
    // A message whose stored messages are all gone was forgotten.
    if (!turn && !before && turnId !== undefined) return;
    const messageIds = turn ? storedIdsOf(turn, id) : (before?.messageIds ?? []);
    await this.#putRow(row, messageIds);
    if (messageIds.length === 0) await this.#tieRows();
    for (const { id: other } of turn?.shown ?? []) {
      const link = links.get(other);
      if (turn && other !== id && link && link.turnId !== turn.turnId) await this.#moveTo(turn, other, link);
    }
  }

  /**
   * Forgets messages and the stored messages that they show. @throws MnemoraError `not-found`; nothing is changed then
   */
  async delete(ids: readonly string[]): Promise<void> {
    await requireThread(this.#memory, this.#threadId);
    const [rows, turns] = await Promise.all([this.#listRows(), listChatTurns(this.#memory, this.#threadId)]);
    const turnsWith = (id: string): ChatTurn[] => turns.filter((turn) => shows(turn, id));
    for (const id of ids) {
      if (!rows.some(({ row }) => row.id === id) && turnsWith(id).length === 0)
        throw this.#notFound(id, 'Nothing was deleted');
    }
    for (const id of ids) {
      const stored = turnsWith(id).flatMap((turn) => storedIdsOf(turn, id));
      const tied = rows.find(({ row }) => row.id === id)?.messageIds ?? [];
      for (const messageId of new Set([...stored, ...tied])) await this.#memory.forget({ messageId });
      await this.#rows.delete(this.#keyOf(id));
    }
  }

  /** A regenerated answer creates a new turn for the same question; the question's row then belongs to that turn. */
  async #moveTo(turn: ShownTurn, id: string, link: MessageLink): Promise<void> {
    const row = rowIn(await this.#rows.get(this.#keyOf(id)));
    await this.#putLink(id, { ...link, turnId: turn.turnId });
    if (row) await this.#putRow(row, storedIdsOf(turn, id));
  }

  /** Links rows to the messages of turns that were stored without a row. */
  async #tieRows(): Promise<void> {
    const { matched } = await this.#matchUntied(await this.#listRows());
    if (matched.length === 0) return;
    const links = await this.#listLinks();
    for (const { row, turn, messageIds } of matched) {
      const link = links.get(row.id);
      if (link) await this.#putLink(row.id, { ...link, turnId: turn.turnId });
      await this.#putRow(row, messageIds);
    }
  }

  /** Returns the turns of the conversation that no row is tied to: those that rows show anyway, and all others. */
  async #matchUntied(
    stored: readonly StoredRow[],
  ): Promise<{ matched: readonly MatchedRow[]; unmatched: readonly ChatTurn[] }> {
    const tied = new Set(stored.flatMap(({ messageIds }) => messageIds));
    const untied = stored.flatMap(({ row, messageIds }) => (messageIds.length === 0 ? [row] : []));
    const turns = (await listChatTurns(this.#memory, this.#threadId)).filter(
      ({ isReplaced, wasShown, messageIds }) =>
        !isReplaced && (wasShown || !messageIds.some((id) => tied.has(id))),
    );
    const matched = matchTurns(
      untied,
      turns.filter(({ wasShown }) => !wasShown),
    );
    const shown = new Set(matched.map(({ turn }) => turn));
    return { matched, unmatched: turns.filter((turn) => !shown.has(turn)) };
  }

  async #putRow(row: MessageRow, messageIds: readonly string[]): Promise<void> {
    const ties = { sessionId: this.#threadId, messageIds };
    try {
      await this.#rows.put(this.#keyOf(row.id), { ...row }, ties);
    } catch (error) {
      // Messages that were forgotten after their turn was read are not stored again.
      if (!(error instanceof MnemoraError) || error.code !== 'not-found') throw error;
    }
  }

  async #putLink(id: string, link: MessageLink): Promise<void> {
    await this.#links.put(this.#keyOf(id), { ...link }, { sessionId: this.#threadId });
  }

  async #findRow(id: string): Promise<StoredRecord | undefined> {
    const prefix = this.#keyOf(id);
    return (await this.#rows.list({ prefix, limit: 1 })).find(({ key }) => key === prefix);
  }

  async #listRows(): Promise<StoredRow[]> {
    const stored = await this.#rows.list({ prefix: prefixOf(this.#threadId) });
    return stored.flatMap(({ value, messageIds }) => {
      const row = rowIn(value);
      return row ? [{ row, messageIds }] : [];
    });
  }

  async #listLinks(): Promise<Map<string, MessageLink>> {
    const prefix = prefixOf(this.#threadId);
    const stored = await this.#links.list({ prefix });
    return new Map(
      stored.flatMap(({ key, value }) => {
        const link = linkIn(value);
        return link ? [[key.slice(prefix.length), link] as const] : [];
      }),
    );
  }

  #keyOf(id: string): string {
    return `${prefixOf(this.#threadId)}${id}`;
  }

  #notFound(id: string, result: string): MnemoraError {
    return new MnemoraError('not-found', `The thread "${this.#threadId}" has no message "${id}". ${result}.`);
  }
}

/** Returns a stored value as a row, unless something else has written it. */
function rowIn(value: JsonValue | undefined): MessageRow | undefined {
  const row = value as unknown as Partial<MessageRow> | null | undefined;
  return typeof row?.id === 'string' &&
    typeof row.format === 'string' &&
    typeof row.content === 'object' &&
    row.content !== null
    ? (row as MessageRow)
    : undefined;
}

function linkIn(value: JsonValue): MessageLink | undefined {
  const link = value as unknown as Partial<MessageLink> | null;
  return typeof link?.position === 'number' ? (link as MessageLink) : undefined;
}
