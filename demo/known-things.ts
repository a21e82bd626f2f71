import type { ChatMemory, MemoryEntity, MemoryFact, MemoryJob, SessionSummary } from '../src/index.ts';

/** What the memory has made of the conversations, at one moment. */
export interface KnownThings {
  /** Those that hold, newest first. */
  facts: readonly MemoryFact[];
  /** Those and all others, where they were asked for. */
  history: readonly MemoryFact[] | undefined;
  entities: readonly MemoryEntity[];
  summary: SummaryInView | undefined;
  jobs: readonly MemoryJob[];
  /** Titles of conversations by their id. */
  titles: ReadonlyMap<string, string>;
  /** Conversations by the id of a message in them. */
  places: ReadonlyMap<string, string>;
}

export interface SummaryInView extends SessionSummary {
  coveredMessages: number;
  allMessages: number;
}

/** Reads what the panel shows. Where messages lie is looked up once, as it never changes. */
export class KnownThingsReader {
  readonly #memory: ChatMemory;
  readonly #places = new Map<string, string>();

  constructor(memory: ChatMemory) {
    this.#memory = memory;
  }

  async read(sessionId: string, withHistory: boolean): Promise<KnownThings> {
    const [facts, history, entities, summary, jobs, sessions] = await Promise.all([
      this.#memory.facts({ includeUnconfirmed: true }),
      withHistory ? this.#memory.facts({ includeHistory: true, includeUnconfirmed: true }) : undefined,
      this.#memory.entities(),
      this.#summary(sessionId),
      this.#memory.jobs(),
      this.#memory.sessions(),
    ]);
    const sessionIds = sessions.map(({ id }) => id);
    const told = [...(history ?? facts).flatMap(messageIdsOf), ...entities.flatMap(({ sources }) => sources)];
    await this.#findPlaces(told, sessionIds);
    return {
      facts: facts.toSorted(newestFirst),
      history: history?.toSorted(newestFirst),
      entities: entities.toSorted((a, b) => a.name.localeCompare(b.name)),
      summary,
      jobs,
      titles: new Map(sessions.map(({ id, title }) => [id, title])),
      places: this.#places,
    };
  }

  async #summary(sessionId: string): Promise<SummaryInView | undefined> {
    const [summary, history] = await Promise.all([
      this.#memory.summary(sessionId),
      this.#memory.history(sessionId),
    ]);
    if (!summary) return undefined;
    const covered = history.filter(({ seq }) => seq <= summary.coversSeq);
    return { ...summary, coveredMessages: covered.length, allMessages: history.length };
  }

  async #findPlaces(messageIds: readonly string[], sessionIds: readonly string[]): Promise<void> {
    if (messageIds.every((id) => this.#places.has(id))) return;
    const histories = await Promise.all(sessionIds.map((id) => this.#memory.history(id)));
    for (const { id, sessionId } of histories.flat()) this.#places.set(id, sessionId);
  }
}

/** The messages that say a fact. */
export function messageIdsOf({ sources }: Pick<MemoryFact, 'sources'>): string[] {
  return [...new Set(sources.map(({ messageId }) => messageId))];
}

function newestFirst(a: MemoryFact, b: MemoryFact): number {
  return Number(b.isPinned) - Number(a.isPinned) || b.recordedAt - a.recordedAt || b.validFrom - a.validFrom;
}
