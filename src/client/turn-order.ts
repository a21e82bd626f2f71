import { newId } from '../model/id.ts';
import { NamedQueue } from '../model/named-queue.ts';
import type { Memory } from './memory.ts';

/** By database and session and not by chat: two chats over one session would not see each other's turns. */
const sessions = new NamedQueue();

/** Names of the databases that memories are kept in. */
const databases = new WeakMap<Memory, string>();

/** To be called for each memory that is made. Memories with the same database name share their sessions. */
export function noteDatabase(memory: Memory, databaseName: string): void {
  databases.set(memory, databaseName);
}

/**
 * Waits until the turns that were begun earlier in the memory's session on this page have ended. Resolves with the
 * function that ends this one. An abort while waiting rejects with the signal's reason.
 */
export function enterTurn(memory: Memory, signal: AbortSignal | undefined): Promise<() => void> {
  return sessions.enter(JSON.stringify([databaseOf(memory), memory.sessionId]), signal);
}

/** A caller's own implementation of a memory is a database by itself. */
function databaseOf(memory: Memory): string {
  const name = databases.get(memory) ?? `own:${newId()}`;
  databases.set(memory, name);
  return name;
}
