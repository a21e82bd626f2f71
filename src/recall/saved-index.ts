import { MnemoraError } from '../model/error.ts';
import { termOptions, type Analyzer } from '../search/analyzer.ts';
import { ConversationIndex } from '../search/conversation-index.ts';
import { mergeSegments, type ConversationSegment } from '../search/conversation-segment.ts';
import type { TermOptions } from '../search/inverted-index.ts';
import { DOCUMENTS_PER_PART, PARTS_PER_GROUP } from '../storage/schema.ts';
import type { SearchRows } from '../storage/search-rows.ts';
import type { ChangeCursor } from '../storage/change-log.ts';
import type { ChangeSet } from '../storage/search-rows.ts';
import type { NewPart } from '../storage/postings-parts.ts';
import type { Transaction } from '../storage/storage-engine.ts';
import { awake } from '../tabs/awake.ts';

/** The number of messages, roughly, that a cold open reads again at most. */
const UNSAVED_MESSAGES = DOCUMENTS_PER_PART;
/** Changes of any kind: the log keeps only the newest. */
const UNSAVED_CHANGES = 1024;

/** What a store has of a scope's keyword index, and what came after it. */
export interface LoadedIndex {
  readonly index: ConversationIndex;
  readonly changes: ChangeSet;
}

/**
 * The keyword index of a scope as it is stored, part by part: what came since the last part was saved becomes the next
 * one, once it is worth it. Several tabs do so side by side: a tab whose part would not follow on what is stored leaves
 * it, and learns how far the others have come.
 */
export class SavedIndex {
  readonly #store: Pick<SearchRows, 'loadIndex' | 'saveIndex'>;
  readonly #scope: string;
  readonly #analyzerId: string;
  readonly #termOptions: TermOptions;
  /** How far what is stored reaches, as far as this tab knows. */
  #persistedCursor: ChangeCursor | undefined;
  /** How far this tab's index reaches. */
  #cursor: ChangeCursor | undefined;
  /** What came after `#persistedCursor`, sync by sync. */
  #unsaved: { readonly revision: number; readonly ids: readonly string[] }[] = [];
  /** So many times as much is worth a save: more after one that failed. */
  #saveBackoff = 1;
  #saving: Promise<void> | undefined;

  constructor(
    store: Pick<SearchRows, 'loadIndex' | 'saveIndex'>,
    scope: string,
    analyzer: Analyzer | undefined,
  ) {
    this.#store = store;
    this.#scope = scope;
    this.#analyzerId = analyzer?.id ?? '';
    this.#termOptions = termOptions(analyzer);
  }

  /** An index without a message, that reads texts as those saved are read. */
  emptyIndex(): ConversationIndex {
    return new ConversationIndex(this.#termOptions);
  }

  /** What is stored; undefined where it cannot be used, and all messages are to be read. */
  async load(signal: AbortSignal | undefined, within?: Transaction): Promise<LoadedIndex | undefined> {
    const { parts, changes } = await this.#store.loadIndex(this.#scope, signal, within);
    if (changes.reset) return { index: this.emptyIndex(), changes };
    if (parts.some((part) => part.analyzer !== this.#analyzerId)) return undefined;
    try {
      const index = ConversationIndex.fromSegments(
        parts.map((part) => part.segment),
        this.#termOptions,
      );
      this.#persistedCursor = parts.at(-1)?.cursor;
      return { index, changes };
    } catch (error) {
      // Of another version, or damaged: the messages themselves tell the same.
      if (!(error instanceof MnemoraError) || error.code !== 'invalid-input') throw error;
      return undefined;
    }
  }

  /** To be called when a tab's index has taken changes over. */
  follow({ cursor, reset, messages }: ChangeSet): void {
    if (reset) {
      this.#persistedCursor = undefined;
      this.#unsaved = [];
    }
    this.#cursor = cursor;
    if (messages.length > 0)
      this.#unsaved.push({ revision: cursor.revision, ids: messages.map(({ id }) => id) });
  }

  /** Begins to save what came to the index since, if it is worth it and not under way. */
  saveIfWorthIt(index: ConversationIndex): void {
    if (this.#saving || !this.#isWorthIt()) return;
    // A failure is not reported: the next save covers the same messages.
    this.#saving = this.#save(index)
      .then(
        () => {
          this.#saveBackoff = 1;
        },
        () => {
          this.#saveBackoff *= 2;
        },
      )
      .finally(() => {
        this.#saving = undefined;
      });
  }

  /** Resolves when nothing is being saved. */
  async settled(): Promise<void> {
    await this.#saving;
  }

  #isWorthIt(): boolean {
    const messages = this.#unsaved.reduce((sum, { ids }) => sum + ids.length, 0);
    const changes = (this.#cursor?.revision ?? 0) - (this.#persistedCursor?.revision ?? Infinity);
    return messages >= UNSAVED_MESSAGES * this.#saveBackoff || changes >= UNSAVED_CHANGES * this.#saveBackoff;
  }

  async #save(index: ConversationIndex): Promise<void> {
    // Taken now, while they belong together: everything may be read again, to another index, at any time.
    const ids = this.#unsavedIds(index);
    const from = this.#persistedCursor;
    const to = this.#cursor;
    if (!to) return;
    await awake(); // whoever waits for an answer goes first
    const parts: NewPart[] = [];
    do {
      // Piece by piece, and joined then: in one go, the page would stand still.
      const pieces: ConversationSegment[] = [];
      do {
        pieces.push(index.toSegment(ids.splice(0, DOCUMENTS_PER_PART)));
        await awake();
      } while (ids.length > 0 && pieces.length < PARTS_PER_GROUP);
      parts.push({ analyzer: this.#analyzerId, segment: mergeSegments(pieces) });
      await awake();
    } while (ids.length > 0);
    const reach = await this.#store.saveIndex(this.#scope, parts, { from, to });
    if (this.#persistedCursor !== from) return; // everything was read again meanwhile
    const isSaved = reach?.generation === to.generation && reach.revision === to.revision;
    if (!from && !isSaved) return; // what is stored cannot be gone on from, or we would have
    if (reach?.generation === to.generation && reach.revision >= (from?.revision ?? 0)) {
      this.#persistedCursor = reach;
      this.#unsaved = this.#unsaved.filter(({ revision }) => revision > reach.revision);
    } else {
      // Another tab has begun again and knows less, or everything stored is gone: so does this one.
      this.#persistedCursor = undefined;
      this.#unsaved = [{ revision: this.#cursor?.revision ?? 0, ids: index.ids() }];
    }
  }

  #unsavedIds(index: ConversationIndex): string[] {
    const ids = new Set(this.#unsaved.flatMap((batch) => batch.ids));
    return [...ids].filter((id) => index.has(id));
  }
}
