import type { NamedEntity } from '../../graph/entity-name.ts';
import { findNames } from '../../graph/name-index.ts';
import { splitSentences } from '../../language/sentences.ts';
import type { ExtractionInput, SourceMessage } from '../../learning/extractor.ts';
import { inThirdPerson, USER_NAME } from '../../learning/first-person.ts';
import type { StoreLearned, TurnReader } from '../../learning/turn-learner.ts';
import { messageText, type StoredMessage } from '../../model/message.ts';
import {
  bareEntityName,
  entityKey,
  InMemoryEntityStore,
  type EntityStore,
} from '../../sessions/entity-store.ts';
import type { Passage } from '../../sessions/read-turns.ts';
import type { JobTicket } from '../../storage/jobs/job-store.ts';
import { DetectedNames, knownName, nameKeyOf, namesOfTurn } from './detected-names.ts';
import { toSource, type Dialogue, type DialogueExtractor } from './dialogue-extractor.ts';
import { dialogueOf, type TurnWorkOptions } from './learning-memory.ts';
import { defined } from '../../model/defined.ts';

export interface EntityReaderOptions extends Omit<TurnWorkOptions, 'component' | 'enrichment'> {
  readonly entityStore?: EntityStore;
  readonly updateCalls?: 'batched' | 'each';
  readonly detectOnLoad?: 'model' | 'known-names';
  readonly dialogue: DialogueExtractor;
  readonly k: number;
}

/** Finds the entities of inputs and turns, and updates their summaries. */
export class EntityReader implements TurnReader {
  readonly store: EntityStore;
  readonly #options: EntityReaderOptions;
  /** Names detected in inputs, until their turns are read. */
  readonly detected: DetectedNames = new DetectedNames();
  /** Names written by this reader, for a store that cannot list its entities. */
  readonly #written = new Map<string, NamedEntity>();

  constructor(options: EntityReaderOptions) {
    this.#options = options;
    this.store = options.entityStore ?? new InMemoryEntityStore();
  }

  /** Returns the entities of an input with their summaries. */
  async entitiesOf(input: string, before: readonly StoredMessage[][]): Promise<Record<string, string>> {
    const summaries = await this.#summariesOf(await this.#namesOfInput(input, before));
    return Object.fromEntries(summaries.map(({ name, summary }) => [name, summary]));
  }

  /**
   * Reads the entities of some turns, and returns the function that updates their summaries: all of them, or none if the
   * model fails.
   */
  async read(passage: Passage, signal: AbortSignal | undefined): Promise<StoreLearned> {
    const { updateCalls = 'batched', detectOnLoad, dialogue } = this.#options;
    const isOneCall = detectOnLoad === 'known-names' && updateCalls === 'batched';
    const updater = isOneCall ? undefined : dialogue.summaries;
    const summaries = await (updater
      ? this.#update(updater, passage, updateCalls, signal)
      : this.#readWhole(passage, signal));
    const { secretFinder, withoutSecrets } = await import('../../language/secrets.ts');
    const texts = passage.window.flat().map(messageText);
    const isSecret = secretFinder(texts);
    const kept = [...summaries].filter(([name]) => !isSecret(name));
    const told = new Map(kept.map(([name, summary]) => [name, withoutSecrets(summary, texts)]));
    const rows = passage.turns.flat();
    return async (ticket) => {
      await this.#write(told, updater ? rows : rows.flatMap(toSource), ticket);
      this.detected.forgetTurns(rows.map(({ turnId }) => turnId));
    };
  }

  /** Called after the messages were removed. */
  cancel(): void {
    this.detected.clear();
  }

  /** Deletes what is known from these messages alone if the store knows sources, otherwise what this reader has written. */
  async forget(messageIds: readonly string[]): Promise<void> {
    const { store } = this;
    if (this.#options.entityStore === undefined) await store.clear();
    else if (this.#canTellSources()) await store.deleteSources?.(messageIds);
    else for (const { name } of this.#written.values()) await store.delete(name);
    this.#written.clear();
  }

  /** Returns the entities that are known to have a summary. */
  async #known(): Promise<readonly NamedEntity[]> {
    return this.store.list ? this.store.list() : [...this.#written.values()];
  }

  async #namesOfInput(input: string, before: readonly StoredMessage[][]): Promise<string[]> {
    const { detectOnLoad, onWarning } = this.#options;
    if (detectOnLoad === 'known-names') return findNames(input, await this.#known());
    try {
      const names = await this.#detect(input, before);
      this.detected.add(input, names);
      // "What is my name" contains no known name, but is about the user.
      const user = (await this.#known()).filter(({ name }) => name === USER_NAME);
      return [...new Set([...names, ...findNames(input, user)])];
    } catch (cause) {
      const message =
        'The model could not find the entities of the input; entities whose names occur in it were loaded instead.';
      onWarning({ code: 'learning-failed', message, cause });
      return findNames(input, await this.#known());
    }
  }

  /** Asks the model for the entities of an input, given the turns before it. */
  async #detect(
    input: Dialogue['input'],
    before: readonly StoredMessage[][],
    signal?: AbortSignal,
  ): Promise<string[]> {
    const { dialogue } = this.#options;
    const history = before.flat();
    const found = await dialogue.findEntities({ history, input, signal });
    const known = await this.#known();
    const names = found.flatMap((name) => shownName(name, 'user', known));
    return [...new Map(names.map((name) => [nameKeyOf(name), name])).values()];
  }

  async #update(
    updater: NonNullable<DialogueExtractor['summaries']>,
    passage: Passage,
    mode: 'batched' | 'each',
    signal: AbortSignal | undefined,
  ): Promise<ReadonlyMap<string, string>> {
    const entities = await this.#summariesOf(await this.#namesOfTurns(passage, signal));
    const dialogue = dialogueOf(passage, this.#options, signal);
    if (mode === 'batched') return updater.updateEntities(dialogue, entities);
    const updates = new Map<string, string>();
    for (const entity of entities) {
      const update = await updater.updateEntity(dialogue, entity);
      if (update !== undefined) updates.set(entity.name, update);
    }
    return updates;
  }

  /** Returns the entities of these turns. Those not detected yet are detected in one model call. */
  async #namesOfTurns({ turns, window }: Passage, signal: AbortSignal | undefined): Promise<string[]> {
    const { k } = this.#options;
    const known = await this.#known();
    const undetected = turns.filter(([row]) => row && !this.detected.ofTurn(row.turnId));
    const [first] = undetected;
    const end = first ? window.indexOf(first) : 0;
    const own = first
      ? await this.#detect(undetected.flat(), window.slice(Math.max(0, end - k), end), signal)
      : [];
    const names = turns.flatMap((rows) => {
      const detected = this.detected.ofTurn(rows[0]?.turnId ?? '');
      return namesOfTurn(rows.map(messageText).join('\n'), detected, known);
    });
    return [...new Map([...own, ...names].map((name) => [nameKeyOf(name), name])).values()];
  }

  /** Finds new entities and updates of known ones in one model call. */
  async #readWhole(
    { turns, window }: Passage,
    signal: AbortSignal | undefined,
  ): Promise<Map<string, string>> {
    const [first] = turns;
    const context = window.slice(0, first ? window.indexOf(first) : 0).flat();
    const known = await this.#known();
    const named = findNames([...context, ...turns.flat()].map(messageText).join('\n'), known);
    const summaries = await this.#summariesOf(named);
    const input: ExtractionInput = {
      messages: turns.flat().flatMap(toSource),
      context: context.flatMap(toSource),
      entities: summaries.map((entity) => ({
        ...entity,
        aliases: known.find(({ name }) => name === entity.name)?.aliases ?? [],
      })),
      facts: [],
      ...defined({ signal }),
    };
    const updates = new Map<string, string>();
    const { mentions } = await this.#options.extractor.extract(input);
    for (const { name, note = '', messageId } of mentions) {
      // A model may name a message that does not exist.
      const source = input.messages.find(({ id }) => id === messageId);
      for (const shown of source ? shownName(name, source.role, known) : []) {
        const before = updates.get(shown) ?? (await this.store.get(shown)) ?? '';
        updates.set(shown, withNote(before, note.trim()));
      }
    }
    return updates;
  }

  #summariesOf(names: readonly string[]): Promise<{ name: string; summary: string }[]> {
    const { store } = this;
    return Promise.all(names.map(async (name) => ({ name, summary: (await store.get(name)) ?? '' })));
  }

  async #write(
    summaries: ReadonlyMap<string, string>,
    sources: readonly { readonly id: string }[],
    ticket: JobTicket | undefined,
  ): Promise<void> {
    const { store } = this;
    if (summaries.size === 0) return;
    // A database rejects sources that it does not contain.
    const options = this.#canTellSources() ? { messageIds: sources.map(({ id }) => id) } : {};
    const trimmed = new Map(Array.from(summaries, ([name, summary]) => [name, summary.trim()]));
    if (store.setMany) await store.setMany(trimmed, { ...options, ...(ticket ? { ticket } : {}) });
    else for (const [name, summary] of trimmed) await store.set(name, summary, options);
    for (const name of trimmed.keys()) this.#written.set(entityKey(name), { name, aliases: [] });
  }

  /** Whether the store knows an entity's source messages, by itself or through the database that stores them. */
  #canTellSources(): boolean {
    const { deleteSources, followsMessages } = this.store;
    return Boolean(deleteSources || (followsMessages && this.#options.history.background));
  }
}

/** Maximum length of a summary to which notes are added; after that its oldest sentences are dropped. */
const MAX_SUMMARY_LENGTH = 2000;

function withNote(summary: string, note: string): string {
  if (note === '' || summary.toLowerCase().includes(note.toLowerCase())) return summary;
  const sentence = /[.!?…。！？]$/u.test(note) ? note : `${note}.`;
  let grown = summary === '' ? sentence : `${summary} ${sentence}`;
  for (const oldest of splitSentences(grown)) {
    if (grown.length <= MAX_SUMMARY_LENGTH) break;
    grown = grown.slice(oldest.length);
  }
  return grown === '' ? sentence.slice(-MAX_SUMMARY_LENGTH).toWellFormed() : grown;
}

/** Returns the display name of an entity that a model names; empty if it is not an entity to remember. */
function shownName(name: string, speaker: SourceMessage['role'], known: readonly NamedEntity[]): string[] {
  const outcome = inThirdPerson(name, speaker === 'tool' ? 'other' : speaker);
  if (nameKeyOf(name) === '' || 'reason' in outcome) return [];
  return [knownName(outcome.name, known) ?? bareEntityName(outcome.name)];
}
