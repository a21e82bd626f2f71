import { MnemoraError } from '../../model/error.ts';
import { nextTimerTask } from '../../model/event-loop.ts';
import { termOptions, type Analyzer } from '../../search/analyzer.ts';
import { ConversationIndex } from '../../search/conversation-index.ts';
import { mergeSegments, type ConversationSegment } from '../../search/conversation-segment.ts';
import type { TermOptions } from '../../search/inverted-index.ts';
import type { ChangeCursor } from '../../storage/change-log.ts';
import { DOCUMENTS_PER_PART, PARTS_PER_GROUP } from '../../storage/schema.ts';
import type { SearchRows, ChangeSet, NewPart } from '../../storage/search-rows.ts';
import type { Transaction } from '../../storage/storage-engine.ts';

/** New messages that trigger a save: roughly the most that a cold open has to index again. */
const UNSAVED_MESSAGES = DOCUMENTS_PER_PART;
/** Changes of any kind that trigger a save, because the change log keeps only the newest. */
const UNSAVED_CHANGES = 1024;

/** The stored keyword index of a scope, and the changes since it was saved. */
export interface LoadedIndex {
  readonly index: ConversationIndex;
  readonly changes: ChangeSet;
}

/**
 * The stored keyword index of a scope, which consists of segments. Once enough messages have been added since the last
 * save, they are saved as the next segment. Several tabs may save at the same time: a segment that would not follow the
 * stored ones is dropped, and the tab learns the position that the others have reached.
 */
export class SavedIndex {
  readonly #store: Pick<SearchRows, 'loadIndex' | 'saveIndex'>;
  readonly #scope: string;
  readonly #analyzerId: string;
  readonly #termOptions: TermOptions;
  /** Cursor of the last segment that is stored, as far as this tab knows. */
  #persistedCursor: ChangeCursor | undefined;
  /** Cursor of this tab's index in memory. */
  #cursor: ChangeCursor | undefined;
  /** Messages added after `#persistedCursor`, by sync. */
  #unsaved: { readonly revision: number; readonly ids: readonly string[] }[] = [];
  /** Multiplier of the save thresholds; doubles after each failed save. */
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

  /** Returns an empty index with the same analyzer as the saved one. */
  emptyIndex(): ConversationIndex {
    return new ConversationIndex(this.#termOptions);
  }

  /** Returns the stored index; undefined if it cannot be used and all messages must be indexed again. */
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
      // It has another version or is damaged: it can be rebuilt from the messages.
      if (!(error instanceof MnemoraError) || error.code !== 'invalid-input') throw error;
      return undefined;
    }
  }

  /** Records changes that were applied to this tab's index. */
  follow({ cursor, reset, messages }: ChangeSet): void {
    if (reset) {
      this.#persistedCursor = undefined;
      this.#unsaved = [];
    }
    this.#cursor = cursor;
    if (messages.length > 0)
      this.#unsaved.push({ revision: cursor.revision, ids: messages.map(({ id }) => id) });
  }

  /** Starts a save if a threshold is reached and no save is running. */
  saveIfWorthIt(index: ConversationIndex): void {
    if (this.#saving || !this.#isWorthIt()) return;
    // A failure is not reported: the next save covers the same messages.
    this.#saving = this.#save(index).then(
      () => this.#saved(1),
      () => this.#saved(2 * this.#saveBackoff),
    );
  }

  #saved(backoff: number): void {
    this.#saveBackoff = backoff;
    this.#saving = undefined;
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
    // Read together, before the first await: the index may be replaced at any time after it.
    const unsaved = new Set(this.#unsaved.flatMap((batch) => batch.ids));
    const ids = [...unsaved].filter((id) => index.has(id));
    const from = this.#persistedCursor;
    const to = this.#cursor;
    if (!to) return;
    await nextTimerTask(); // answers to the user come first
    const parts: NewPart[] = [];
    do {
      // In pieces that are merged afterwards: a single large one would block the page.
      const pieces: ConversationSegment[] = [];
      do {
        pieces.push(index.toSegment(ids.splice(0, DOCUMENTS_PER_PART)));
        await nextTimerTask();
      } while (ids.length > 0 && pieces.length < PARTS_PER_GROUP);
      parts.push({ analyzer: this.#analyzerId, segment: mergeSegments(pieces) });
      await nextTimerTask();
    } while (ids.length > 0);
    const reach = await this.#store.saveIndex(this.#scope, parts, { from, to });
    if (this.#persistedCursor !== from) return; // the index was read again meanwhile
    const isSaved = reach?.generation === to.generation && reach.revision === to.revision;
    if (!from && !isSaved) return; // another tab's stored segments cannot be continued from here
    if (reach?.generation === to.generation && reach.revision >= (from?.revision ?? 0)) {
      this.#persistedCursor = reach;
      this.#unsaved = this.#unsaved.filter(({ revision }) => revision > reach.revision);
    } else {
      // Another tab has started over with less, or the stored segments are gone: start over as well.
      this.#persistedCursor = undefined;
      this.#unsaved = [{ revision: this.#cursor?.revision ?? 0, ids: index.ids() }];
    }
  }
}
