import { createMemory } from '../../../../src/client/create-memory.ts';
import type { Memory } from '../../../../src/client/memory.ts';
import { openDatabase } from '../../../../src/sessions/open-database.ts';
import type { MemoryDatabase } from '../../../../src/sessions/memory-database.ts';
import { rowsOf } from '../../../fixtures/rows-of.ts';
import { turnMessages } from './turn-messages.ts';

/** What the tests reach a tab through, with `page.evaluate`. */
export interface Tab {
  openDatabase: typeof openDatabase;
  createMemory: typeof createMemory;
  rowsOf: typeof rowsOf;
  database?: MemoryDatabase;
  memory?: Memory;
  warnings: string[];
  turnMessages: typeof turnMessages;
  /** Codes of the errors that a stream of writes met; it ends when `halt` is set. */
  stream?: Promise<string[]>;
  halt?: boolean;
}

declare global {
  interface Window {
    tab: Tab;
  }
}

window.tab = { openDatabase, createMemory, rowsOf, warnings: [], turnMessages };
