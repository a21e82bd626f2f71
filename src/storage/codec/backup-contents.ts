import type { MessageRecord, SessionRecord } from '../schema.ts';

/** Part of a key under which something is found again. */
type KeyPart = string | number;

/**
 * What a backup contains so far, while it is written or read, or what a scope contains, while it is verified. Only ids
 * are kept, so memory does not grow with the texts.
 */
export class BackupContents {
  /** The only scope; undefined if a file holds all scopes. */
  readonly scope: string | undefined;
  readonly tombstones: Set<string> = new Set();
  /** Checks that need all records, in the order of the file. */
  readonly checksAtEnd: { readonly line: number; readonly check: () => void }[] = [];
  /** Line of the record that is being checked. */
  line = 0;
  readonly #sessions = new Map<string, Pick<SessionRecord, 'nextSeq'>>();
  /** Scope of each message, by message id. */
  readonly #messages = new Map<string, string>();
  /** Session of each turn. */
  readonly #turns = new Map<string, string>();
  readonly #entities = new Set<string>();
  readonly #first = new Map<string, KeyPart>();

  constructor(scope: string | undefined) {
    this.scope = scope;
  }

  isWanted(scope: string): boolean {
    return this.scope === undefined || scope === this.scope;
  }

  /** Returns a record with its scope, which only a file of all scopes names in each record. */
  scoped(scope: string, record: object): object {
    return this.scope === undefined ? { ...record, scope } : record;
  }

  addSession(session: Pick<SessionRecord, 'scope' | 'id' | 'nextSeq'>): void {
    this.#sessions.set(joined(session.scope, session.id), session);
  }

  session(scope: string, id: string): Pick<SessionRecord, 'nextSeq'> | undefined {
    return this.#sessions.get(joined(scope, id));
  }

  addMessage(message: Pick<MessageRecord, 'id' | 'scope' | 'sessionId' | 'turnId'>): void {
    this.#messages.set(message.id, message.scope);
    this.#turns.set(joined(message.scope, message.turnId), message.sessionId);
  }

  /** Returns the ids of the messages of a scope. */
  messageIds(scope: string): string[] {
    return [...this.#messages].filter(([, its]) => its === scope).map(([id]) => id);
  }

  /** Returns the scope of a message. */
  scopeOf(messageId: string): string | undefined {
    return this.#messages.get(messageId);
  }

  /** Returns the messages that are missing, or belong to another scope. */
  missing(scope: string, messageIds: readonly string[]): Set<string> {
    return new Set(messageIds.filter((id) => this.#messages.get(id) !== scope));
  }

  /** Returns the id of the session that has a turn. */
  sessionOfTurn(scope: string, turnId: string): string | undefined {
    return this.#turns.get(joined(scope, turnId));
  }

  addEntity(scope: string, key: string): void {
    this.#entities.add(joined(scope, key));
  }

  hasEntity(scope: string, key: string): boolean {
    return this.#entities.has(joined(scope, key));
  }

  /** Returns the first value that was given for a key. */
  first(key: readonly KeyPart[], value: KeyPart): KeyPart {
    const place = joined(...key);
    const known = this.#first.get(place) ?? value;
    this.#first.set(place, known);
    return known;
  }

  /** Runs a check when all records are known. */
  atEnd(check: () => void): void {
    this.checksAtEnd.push({ line: this.line, check });
  }
}

function joined(...parts: readonly KeyPart[]): string {
  return JSON.stringify(parts);
}
