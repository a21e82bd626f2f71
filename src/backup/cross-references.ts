import type { BackupRows, BackupStore } from '../storage/codec/backup-rows.ts';
import { backupOf, damaged, type BackupEntry } from './backup-format.ts';

type Check<Store extends BackupStore> = (row: BackupRows[Store], line: number) => void;

/**
 * Checks the references between the records of one file: each must point to a record of the file, in the same scope.
 * Only ids are kept, so memory does not grow with the texts.
 */
export class CrossReferences {
  readonly fileScope: string | undefined;
  readonly #tombstones = new Set<string>();
  /** By scope and id. */
  readonly #sessions = new Map<string, BackupRows['sessions']>();
  /** Scope of each message, by message id. */
  readonly #messages = new Map<string, string>();
  /** By scope and id. */
  readonly #turns = new Map<string, { sessionId: string; turn: number }>();
  /** Turn ids of the current session, by position of the turn. */
  #turnIds = { session: '', byTurn: new Map<number, string>() };
  readonly #entityIds = new Set<string>();
  readonly #entityKeys = new Set<string>();
  /** Entities that facts connect, which come later in the file, with the first place that names them. */
  readonly #factEnds = new Map<string, { field: string; line: number }>();
  /** Sequence numbers of facts, by scope and id. */
  readonly #seqs = new Map<string, number>();
  readonly #takenSeqs = new Set<string>();
  readonly #superseding: { scope: string; seq: number; supersedes: readonly string[]; line: number }[] = [];
  readonly #dimensions = new Map<string, number>();

  /** @param fileScope the scope of the file; undefined if it may hold all scopes */
  constructor(fileScope: string | undefined) {
    this.fileScope = fileScope;
  }

  /** Checks a record against those before it. @throws MnemoraError `backup-invalid` */
  add(entry: BackupEntry): void {
    const check = this.#checks[entry.store] as Check<BackupStore> | undefined;
    check?.(entry.row, entry.line);
    const { scope, messageIds = [] } = backupOf(entry.store).refersTo?.(entry.row) ?? {};
    if (scope === undefined) return;
    this.#requireScope(scope);
    for (const id of messageIds) this.#requireMessage(id, scope, 'messageIds');
  }

  /**
   * Checks what can be checked only when all facts and entities have been read. The entities that a fact connects must
   * be there. A fact may supersede older facts only, because of two facts that supersede each other neither would hold.
   * Superseded facts may be missing.
   *
   * @throws MnemoraError `backup-invalid`; `onLine` is called with the line of the fact first
   */
  finish(onLine: (line: number) => void): void {
    for (const [key, { field, line }] of this.#factEnds) {
      onLine(line);
      require(this.#entityKeys.has(key), field, 'refers to an entity that is missing');
    }
    for (const { scope, seq, supersedes, line } of this.#superseding) {
      onLine(line);
      const newer = supersedes.find((id) => (this.#seqs.get(within(scope, id)) ?? -1) >= seq);
      require(newer === undefined, 'supersedes', `names "${newer}", which is not older`);
    }
  }

  /** Checks beyond those that follow from `refersTo` in the table of stores. */
  readonly #checks: { readonly [Store in BackupStore]?: Check<Store> } = {
    tombstones: ({ key }) => void this.#tombstones.add(key),
    sessions: (session) => {
      this.#requireScope(session.scope);
      this.#sessions.set(within(session.scope, session.id), session);
    },
    messages: (message) => this.#addMessage(message),
    summaries: ({ scope, sessionId, coversSeq }) => {
      const isBelow = coversSeq < this.#session(scope, sessionId).nextSeq;
      require(isBelow, 'coversSeq', 'is above all sequence numbers of the session');
    },
    chatMemories: () => {
      const isAllowed = this.fileScope === undefined;
      require(isAllowed, 'id', 'names a list of a chat memory, which a file of one scope cannot hold');
    },
    triples: (fact, line) => this.#addFact(fact, line),
    entities: ({ id, scope, key, mentions }) => {
      this.#requireScope(scope);
      this.#entityKeys.add(within(scope, key));
      require(!this.#entityIds.has(id), 'id', 'is taken by another entity');
      this.#entityIds.add(id);
      for (const messageId of mentions.flatMap((mention) => mention.messageIds))
        this.#requireMessage(messageId, scope, 'messageIds');
    },
    vectors: ({ embedder, scope, id, vector: { length } }) => {
      this.#requireScope(scope);
      this.#requireMessage(id, scope, 'id');
      const group = within(embedder, scope);
      const dimensions = this.#dimensions.get(group) ?? length;
      this.#dimensions.set(group, dimensions);
      require(length === dimensions, 'vector', `must have ${dimensions} numbers like the other vectors`);
    },
    jobs: ({ scope, sessionId, turnIds }) => {
      this.#session(scope, sessionId);
      const areThere = turnIds.every(
        (turnId) => this.#turns.get(within(scope, turnId))?.sessionId === sessionId,
      );
      require(areThere, 'turnIds', 'refers to a turn that is missing');
    },
  };

  #addMessage({ id, scope, sessionId, turn, turnId }: BackupRows['messages']): void {
    this.#session(scope, sessionId);
    const session = within(scope, sessionId);
    require(!this.#messages.has(id), 'id', 'is taken by another message');
    require(!this.#tombstones.has(id), 'id', 'belongs to a message that was forgotten');
    const known = this.#turns.get(within(scope, turnId));
    const isSame = known === undefined || (known.sessionId === sessionId && known.turn === turn);
    require(isSame, 'turnId', 'belongs to another turn');
    if (this.#turnIds.session !== session) this.#turnIds = { session, byTurn: new Map() };
    const { byTurn } = this.#turnIds;
    require((byTurn.get(turn) ?? turnId) === turnId, 'turn', 'belongs to another turn');
    byTurn.set(turn, turnId);
    this.#turns.set(within(scope, turnId), { sessionId, turn });
    this.#messages.set(id, scope);
  }

  #addFact(fact: BackupRows['triples'], line: number): void {
    const { id, scope, seq, sources, supersedes } = fact;
    this.#requireScope(scope);
    for (const field of ['subjectKey', 'objectKey'] as const) {
      const key = within(scope, fact[field]);
      if (!this.#factEnds.has(key)) this.#factEnds.set(key, { field, line });
    }
    const place = within(scope, seq);
    require(!this.#takenSeqs.has(place), 'seq', 'is taken by another fact');
    this.#takenSeqs.add(place);
    this.#seqs.set(within(scope, id), seq);
    for (const { messageId } of sources) this.#requireMessage(messageId, scope, 'sources');
    if (supersedes.length > 0) this.#superseding.push({ scope, seq, supersedes, line });
  }

  #session(scope: string, id: string): BackupRows['sessions'] {
    const session = this.#sessions.get(within(scope, id));
    if (session) return session;
    throw damaged('the field "sessionId" refers to a session that is missing');
  }

  #requireScope(scope: string): void {
    const isRight = this.fileScope === undefined || scope === this.fileScope;
    require(isRight, 'scope', 'is not the scope of the file');
  }

  #requireMessage(id: string, scope: string, field: string): void {
    require(this.#messages.get(id) === scope, field, 'refers to a message that is missing');
  }
}

function within(...keys: readonly (string | number)[]): string {
  return JSON.stringify(keys);
}

function require(holds: boolean, field: string, why: string): void {
  if (!holds) throw damaged(`the field "${field}" ${why}`);
}
