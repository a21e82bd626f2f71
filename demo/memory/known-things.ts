import type {
  Memory,
  MemoryEntity,
  MemoryFact,
  MemoryJob,
  ReviewItem,
  SessionSummary,
} from '../../src/index.ts';
import { MessageSessions } from './message-sessions.ts';

/** What the memory has made of the conversations, at one moment. */
export interface KnownThings {
  /** Those that hold, newest first. */
  facts: readonly MemoryFact[];
  /** Those and all others, where they were asked for. */
  history: readonly MemoryFact[] | undefined;
  /** What others have said, and waits for the person's word. */
  review: readonly ReviewItem[];
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

/** Reads what the panel shows. */
export class KnownThingsReader {
  readonly #memory: Memory;
  readonly #places: MessageSessions;

  constructor(memory: Memory) {
    this.#memory = memory;
    this.#places = new MessageSessions(memory);
  }

  async read(sessionId: string, withHistory: boolean): Promise<KnownThings> {
    const [facts, history, review, entities, summary, jobs, sessions] = await Promise.all([
      this.#memory.facts(),
      withHistory ? this.#memory.facts({ includeHistory: true }) : undefined,
      this.#memory.review(),
      this.#memory.entities(),
      this.#summary(sessionId),
      this.#memory.jobs(),
      this.#memory.sessions(),
    ]);
    const told = [...(history ?? facts).flatMap(messageIdsOf), ...entities.flatMap(({ sources }) => sources)];
    return {
      facts: facts.toSorted(newestFirst),
      history: history?.toSorted(newestFirst),
      review,
      entities: worthNaming(entities, history ?? facts).toSorted((a, b) => a.name.localeCompare(b.name)),
      summary,
      jobs,
      titles: new Map(sessions.map(({ id, title }) => [id, title])),
      places: await this.#places.find(told),
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
}

/** The messages that say a fact. */
export function messageIdsOf({ sources }: Pick<MemoryFact, 'sources'>): string[] {
  return [...new Set(sources.map(({ messageId }) => messageId))];
}

/**
 * Others than the person, of whom something is known: a note, a fact of theirs, or a fact that names them. What a fact
 * only describes (`vegan`, `14th of June`) is no thing of its own.
 */
function worthNaming(entities: readonly MemoryEntity[], facts: readonly MemoryFact[]): MemoryEntity[] {
  const named = new Set(
    facts.flatMap(({ subject, object }) => [subject, ...(isName(object) ? [object] : [])]),
  );
  return entities.filter(
    ({ name, aliases, summary }) =>
      name !== USER && (summary !== '' || [name, ...aliases].some((each) => named.has(each))),
  );
}

/** What memory calls the person who chats. */
const USER = 'user';

/** A name begins with a capital, where its script has them. */
function isName(words: string): boolean {
  return /^[\p{Lu}\p{Lt}\p{Lo}]/u.test(words);
}

function newestFirst(a: MemoryFact, b: MemoryFact): number {
  return Number(b.isPinned) - Number(a.isPinned) || b.recordedAt - a.recordedAt || b.validFrom - a.validFrom;
}
