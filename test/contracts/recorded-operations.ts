import type { ForgetReceipt, ImportReceipt } from '../../src/index.ts';
import {
  MnemoraError,
  type Memory,
  type CreateMemoryOptions,
  type ForgetSelector,
  type MemoryEntity,
  type MemoryFact,
  type StoredMessage,
  type Tokenizer,
} from '../../src/index.ts';
import { offlineExtractor } from '../../src/extract.ts';
import { codedExtractor } from '../fakes/coded-extractor.ts';
import { hashEmbedder } from '../fakes/hash-embedder.ts';
import type {
  Action,
  ForgetTarget,
  Mistake,
  Operation,
  OperationList,
  Tab,
} from '../fixtures/operation-lists.ts';
import { canonicalJson, linesOfRows } from '../fixtures/row-lines.ts';

/** The two memories over one database, another database to bring a backup from, and an empty one to bring one back into. */
export type Place = Tab | 'other' | 'restored';

/** What the lists are played on. Everything in it belongs to one list. */
export interface RecordedWorld {
  /** Opens a memory. `restored` is empty each time. */
  open(place: Place, options: CreateMemoryOptions): Promise<Memory>;
  close(place: Place): Promise<void>;
  /** Adds a document of a retriever to the database of the tabs. */
  addDocument(session: string, text: string): Promise<void>;
  /** All rows of the database of the tabs, by store. */
  rows(): Promise<Readonly<Record<string, readonly unknown[]>>>;
}

/** What an operation gave, and what could be seen of the memory afterwards. */
export interface PlayedOperation {
  readonly result: readonly string[];
  /** Empty where nothing was looked at. */
  readonly state: readonly string[];
}

/** What a list gives, as lines of text. */
export interface PlayedList {
  readonly operations: readonly PlayedOperation[];
  readonly rows: readonly string[];
}

/**
 * Plays a list and returns what was seen. Two runs give the same lines: ids are replaced by numbers in the order in which
 * they are first seen, and nothing that depends on the machine's clock is looked at. The page must count ids
 * (`countIds`), because equals are ranked by them.
 */
export async function play(list: OperationList, world: RecordedWorld): Promise<PlayedList> {
  const player = new Player(list, world);
  await player.open();
  try {
    const operations: PlayedOperation[] = [];
    for (const [index, operation] of list.operations.entries()) {
      operations.push(await player.step(operation, index));
    }
    return { operations, rows: await player.rows() };
  } finally {
    await player.close();
  }
}

/** The lines as a text of fixed length: it differs where one of the lines does. */
export async function digest(lines: readonly string[]): Promise<string> {
  const bytes = new Uint8Array(
    await crypto.subtle.digest('SHA-256', new TextEncoder().encode(lines.join('\n'))),
  );
  return Array.from(bytes.subarray(0, 6), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

const SESSIONS = ['work', 'home', 'trip', 'abroad'];
const START = Date.UTC(2023, 0, 2, 8);
/** Longer than any list takes to play: what waits for more turns begins only when the player has it begin. */
const DELAY_MS = 3_600_000;

/** Counts words, so that the random mark in a request does not change what it costs. */
const WORD_TOKENIZER: Tokenizer = {
  id: 'test/words',
  countText: countWords,
  countMessage: ({ content }) => countWords(typeof content === 'string' ? content : ''),
};

/** What 0.1.0 did not say of the marks around recalled text. */
const MARKS_EXPLAINED = ', where X stands for the same 24 hexadecimal digits in both,';

/** A newer version of the rules is named in the rows of each fact. Whether its facts are others is what is compared. */
const VERSION_OF_RULES = /"offline\/\d+"/gu;
const RECORDED_VERSION = '"offline/3"';
const READING: readonly Action['kind'][] = ['export', 'recall', 'restore'];

class Player {
  readonly #list: OperationList;
  readonly #world: RecordedWorld;
  readonly #tabs: Memory[] = [];
  readonly #files: Blob[] = [];
  readonly #names = new Map<string, string>();
  #other: Blob | undefined;
  #now = START;

  constructor(list: OperationList, world: RecordedWorld) {
    this.#list = list;
    this.#world = world;
  }

  async open(): Promise<void> {
    for (let tab = 0; tab < this.#list.tabs; tab++) {
      this.#tabs[tab] = await this.#world.open(tab as Tab, this.#options());
    }
    await this.#settle();
  }

  async close(): Promise<void> {
    for (const tab of this.#tabs.keys()) await this.#world.close(tab as Tab);
  }

  async step(operation: Operation, index: number): Promise<PlayedOperation> {
    this.#now += operation.afterMs;
    let result: string[];
    try {
      result = await this.#do(operation);
    } catch (error) {
      if (!(error instanceof MnemoraError)) throw error;
      result = [`error ${error.code}`];
    }
    if (operation.settles) await this.#settle();
    // Where what was told has yet to be learned, the next operations show what became of it.
    if (!operation.settles || READING.includes(operation.action.kind)) return { result, state: [] };
    // Seen from the tabs in turn: each has to notice what the other did.
    const seenFrom = this.#tabs[index % this.#tabs.length] as Memory;
    const query = this.#list.queries[index % 2] as string;
    return { result, state: await this.#look(seenFrom, query) };
  }

  async rows(): Promise<string[]> {
    await this.#settle();
    await this.#facts(this.#tabs[0] as Memory);
    const rows = await this.#world.rows();
    const left = (rows['jobs'] ?? []).filter((job) => (job as { isDead?: true }).isDead !== true);
    return [
      ...linesOfRows(rows)
        .map((line) => this.#named(line).replaceAll(VERSION_OF_RULES, RECORDED_VERSION))
        .toSorted(byText),
      `jobs ${left.length}`,
    ];
  }

  #options(): CreateMemoryOptions {
    return {
      sessionId: 'work',
      clock: () => this.#now,
      learning: {
        extractor: this.#list.extractor === 'coded' ? codedExtractor() : offlineExtractor(),
        delayMs: DELAY_MS,
      },
      embedder: this.#list.embedder === 'hash' ? hashEmbedder() : false,
      tokenizer: WORD_TOKENIZER,
      // Small, so that a few turns are summarized.
      maxTokens: 250,
      recentTurns: 2,
    };
  }

  async #settle(): Promise<void> {
    for (const memory of this.#tabs) await memory.work.settled();
  }

  /** Returns what the operation gave. */
  async #do({ tab, action }: Operation): Promise<string[]> {
    const memory = this.#tabs[tab] as Memory;
    switch (action.kind) {
      case 'remember': {
        const { turnId, session: sessionId, turn, state, agoMs } = action;
        const createdAt = this.#now - agoMs;
        return this.#told(await memory.remember(turn, { turnId, sessionId, state, createdAt }));
      }
      case 'correct': {
        const fact = at(await this.#facts(memory), action.position);
        if (!fact) return ['nothing'];
        const corrected = await memory.facts.correct(fact.id, { object: action.object });
        this.#nameFacts([corrected]);
        return [this.#factLine(corrected, true)];
      }
      case 'pin':
      case 'unpin': {
        const fact = at(await this.#facts(memory), action.position);
        if (!fact) return ['nothing'];
        await memory.facts[action.kind](fact.id);
        return [this.#named(`${action.kind} ${fact.id}`)];
      }
      case 'forget': {
        const selector = await this.#selector(memory, action.target);
        if (!selector) return ['nothing'];
        return [this.#named(canonicalJson(selector)), ...this.#told(await memory.forget(selector))];
      }
      case 'export':
        this.#files.push(await memory.backup.export());
        return ['exported'];
      case 'import':
        return this.#told(await memory.backup.import(this.#files[action.file] as Blob));
      case 'restore':
        return this.#restore(this.#files[action.file] as Blob);
      case 'import-other':
        this.#other ??= await this.#makeOther();
        return this.#told(await memory.backup.import(this.#other));
      case 'reopen':
        await this.#world.close(tab);
        this.#tabs[tab] = await this.#world.open(tab, this.#options());
        return ['reopened'];
      case 'rebuild':
        await this.#settle();
        await memory.backup.rebuild();
        return ['rebuilt'];
      case 'recall':
        return this.#recall(memory, action.session, action.input);
      case 'document':
        await this.#world.addDocument(action.session, action.text);
        return ['added'];
      case 'mistake':
        return this.#mistake(memory, action.mistake);
    }
  }

  async #selector(memory: Memory, target: ForgetTarget): Promise<ForgetSelector | undefined> {
    switch (target.kind) {
      case 'session':
        return { sessionId: target.session };
      case 'before':
        return { before: this.#now - target.agoMs };
      case 'everything':
        return { everything: true };
      case 'message': {
        const message = at(await allMessages(memory), target.position);
        return message && { messageId: message.id };
      }
      case 'turn': {
        const turns = new Set((await allMessages(memory)).map((message) => message.turnId));
        const turnId = at([...turns], target.position);
        return turnId === undefined ? undefined : { turnId };
      }
      case 'fact': {
        const facts = await this.#facts(memory);
        const corrected = aroundCorrections(facts);
        const fact = at(
          facts.filter((each) => !corrected.includes(each)),
          target.position,
        );
        return fact && { factId: fact.id };
      }
      case 'entity': {
        const corrected = aroundCorrections(await this.#facts(memory));
        const ends = new Set(corrected.flatMap((fact) => [fact.subject, fact.object]));
        const entities = byName(await memory.facts.entities()).filter((entity) => !ends.has(entity.name));
        const entity = at(entities, target.position);
        return entity && { entity: entity.name, ...(target.turns ? { turns: true } : {}) };
      }
    }
  }

  async #restore(file: Blob): Promise<string[]> {
    const memory = await this.#world.open('restored', this.#options());
    try {
      const receipt = this.#told(await memory.backup.import(file));
      await memory.work.settled();
      return [...receipt, ...(await this.#look(memory, ...this.#list.queries))];
    } finally {
      await this.#world.close('restored');
    }
  }

  async #makeOther(): Promise<Blob> {
    const memory = await this.#world.open('other', this.#options());
    try {
      for (const { turnId, session: sessionId, turn } of this.#list.otherTurns) {
        await memory.remember(turn, { turnId, sessionId });
      }
      await memory.work.settled();
      return await memory.backup.export();
    } finally {
      await this.#world.close('other');
    }
  }

  async #recall(memory: Memory, sessionId: string, input: string): Promise<string[]> {
    const sessions = await memory.sessions();
    if (!sessions.some(({ id }) => id === sessionId)) return ['nothing'];
    await this.#facts(memory);
    const { messages, tokens, overBudget, items } = await memory.recall(input, { sessionId });
    const lines = messages.flatMap((message) =>
      this.#named(canonicalJson(message)).split('\\n').map(wordsOf),
    );
    return [
      `recalled ${tokens} tokens${overBudget ? ' over budget' : ''}`,
      ...lines.toSorted(byText),
      ...items
        .map(({ kind, sources, factId = '' }) => this.#named(`${kind} ${factId} ${sources.join(' ')}`))
        .toSorted(byText),
    ];
  }

  async #mistake(memory: Memory, mistake: Mistake): Promise<string[]> {
    switch (mistake) {
      case 'correct-unknown':
        await memory.facts.correct('unknown', { object: 'nothing' });
        return ['done'];
      case 'forget-unknown-fact':
        return this.#told(await memory.forget({ factId: 'unknown' }));
      case 'forget-unknown-entity':
        return this.#told(await memory.forget({ entity: 'Nobody At All' }));
      case 'import-cut-file': {
        const file = await memory.backup.export();
        return this.#told(await memory.backup.import(file.slice(0, file.size - 20)));
      }
    }
  }

  /** What can be asked of a memory. */
  async #look(memory: Memory, ...queries: readonly string[]): Promise<string[]> {
    const sessions = await memory.sessions();
    const lines = sessions.map(({ id, scope, title, createdAt, updatedAt, messageCount }) => {
      const times = `${timeText(createdAt)} ${timeText(updatedAt)}`;
      return `session ${id} ${scope} ${JSON.stringify(title)} ${times} ${messageCount}`;
    });
    for (const { id } of sessions) {
      for (const message of await memory.history({ sessionId: id }))
        lines.push(this.#named(messageLine(message)));
      const summary = await memory.summary({ sessionId: id });
      if (summary) {
        const { text, coversSeq, updatedAt } = summary;
        lines.push(`summary ${id} ${coversSeq} ${timeText(updatedAt)} ${wordsOf(text)}`);
      }
    }
    const facts = await this.#facts(memory);
    const holding = new Set((await memory.facts.list({ includeUnconfirmed: true })).map((fact) => fact.id));
    lines.push(...facts.map((fact) => this.#factLine(fact, holding.has(fact.id))).toSorted(byText));
    for (const entity of byName(await memory.facts.entities())) lines.push(this.#entityLine(entity));
    for (const query of queries) {
      const found = await memory.search(query);
      lines.push(
        this.#named(`search ${JSON.stringify(query)} ${found.map(({ message }) => message.id).join(' ')}`),
      );
    }
    return lines;
  }

  /** All facts, by what they say: in which order they were learned is not looked at. */
  async #facts(memory: Memory): Promise<MemoryFact[]> {
    return this.#nameFacts(await memory.facts.list({ includeHistory: true, includeUnconfirmed: true }));
  }

  /** Names facts by what they say, so that their names do not depend on the order of learning. */
  #nameFacts(facts: readonly MemoryFact[]): MemoryFact[] {
    const nameOf = ({ subject, predicate, object, source, sources }: MemoryFact): string => {
      const told = sources.filter(({ isContext }) => isContext !== true).map(({ messageId }) => messageId);
      return `<${subject} ${predicate} ${object} ${source} ${this.#inOrder(told).join(' ')}>`;
    };
    const named = facts.map((fact) => ({ fact, name: nameOf(fact) }));
    for (const { fact, name } of named) this.#names.set(fact.id, name);
    return named
      .toSorted((a, b) => byText(a.name, b.name) || a.fact.validFrom - b.fact.validFrom)
      .map(({ fact }) => fact);
  }

  #factLine(fact: MemoryFact, holds: boolean): string {
    const { id, subject, predicate, object, validFrom, validTo, recordedAt, retractedAt } = fact;
    const { supersededBy = '', source, sources, attributes, isPinned } = fact;
    const times = [validFrom, validTo, recordedAt, retractedAt].map(timeText).join(' ');
    const own = new Set(sources.flatMap((each) => (each.isContext ? [] : [each.messageId])));
    const said = sources
      .filter(({ messageId, isContext }) => !isContext || !own.has(messageId))
      .map(({ messageId, quote, isContext }) =>
        [messageId, isContext ? 'context' : '', quote === undefined ? '' : JSON.stringify(quote)].join(':'),
      )
      .map((line) => this.#named(line))
      .toSorted(byText);
    const marks = [holds ? 'holds' : 'past', source, ...(isPinned ? ['pinned'] : [])].join(' ');
    const words = [subject, predicate, object].join(' | ');
    return this.#named(
      `fact ${id} ${words} ${times} by ${supersededBy} ${marks} ${canonicalJson({ ...attributes, madeBy: undefined })} ${said.join(' ')}`,
    );
  }

  #entityLine({ name, aliases, attributes, summary, sources }: MemoryEntity): string {
    const ids = this.#inOrder(sources).join(' ');
    const known = canonicalJson([aliases.toSorted(byText), attributes, wordsOf(summary)]);
    return `entity ${name} ${known} ${ids}`;
  }

  /** In the order in which they were first seen. */
  #inOrder(ids: readonly string[]): string[] {
    return ids.map((id) => this.#named(id)).toSorted((a, b) => Number(a.slice(1)) - Number(b.slice(1)));
  }

  /** Without the numbers that receipts did not have when the lists were recorded. */
  #told(receipt: object): string[] {
    const {
      turnsStillNaming: _naming,
      turnsNear: _near,
      stillForgotten: _forgotten,
      records,
      chatMessages,
      ...rest
    } = receipt as Partial<ForgetReceipt & ImportReceipt>;
    // The lists have neither records nor chat memories.
    const recorded = { ...rest, ...(records ? { records } : {}), ...(chatMessages ? { chatMessages } : {}) };
    return [this.#named(canonicalJson(recorded))];
  }

  /** The line with ids as `#1`, `#2` and so on, and without what marks the fence of a session. */
  #named(line: string): string {
    const unmarked = line
      .replaceAll(MARKS_EXPLAINED, '')
      .replaceAll(/memory-(?:[0-9a-f]{24}|X)/g, 'memory-mark');
    return unmarked.replaceAll(/\b[0-9a-f]{32}\b/g, (id) => {
      const name = this.#names.get(id) ?? `#${this.#names.size + 1}`;
      this.#names.set(id, name);
      return name;
    });
  }
}

function countWords(text: string): number {
  return text.replaceAll(MARKS_EXPLAINED, '').split(/\s+/).filter(Boolean).length;
}

function at<T>(list: readonly T[], position: number): T | undefined {
  return list[position % list.length];
}

async function allMessages(memory: Memory): Promise<StoredMessage[]> {
  const histories: StoredMessage[][] = [];
  for (const session of SESSIONS) histories.push(await memory.history({ sessionId: session }));
  return histories.flat();
}

/** In no order: what was learned in another one is told in another one. */
function wordsOf(text: string): string {
  return text.split(/\s+/).toSorted(byText).join(' ');
}

function byText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

function byName(entities: readonly MemoryEntity[]): MemoryEntity[] {
  return entities.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** Corrections, and the facts whose place they took. */
function aroundCorrections(facts: readonly MemoryFact[]): MemoryFact[] {
  const corrections = new Set(facts.flatMap((fact) => (fact.source === 'user' ? [fact.id] : [])));
  return facts.filter(({ id, supersededBy = '' }) => corrections.has(id) || corrections.has(supersededBy));
}

function messageLine(message: StoredMessage): string {
  const { id, sessionId, turnId, turn, seq, createdAt, state, role, content, ...rest } = message;
  const calls = 'tool_calls' in rest ? rest.tool_calls : undefined;
  const answers = 'tool_call_id' in rest ? rest.tool_call_id : undefined;
  const said = canonicalJson({ role, content, calls, answers });
  // 0.1.0 left turns pending that a tab had begun and closed.
  const ended = state === 'pending' || state === 'failed' ? 'unfinished' : state;
  return `message ${sessionId} ${seq} ${turn} ${turnId} ${id} ${ended} ${timeText(createdAt)} ${said}`;
}

function timeText(time: number | undefined): string {
  return time === undefined ? '-' : new Date(time).toISOString().replace(/(?:T00:00)?:00\.000Z$/, '');
}
