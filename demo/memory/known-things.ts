import type {
  Memory,
  MemoryEntity,
  MemoryFact,
  MemoryJob,
  ReviewItem,
  SessionSummary,
} from '../../src/index.ts';
import { USER } from './fact-sentence.ts';
import { MessageSessions } from './message-sessions.ts';

/** What the memory has learned from the conversations, at one moment. */
export interface KnownThings {
  /** Current facts, pinned ones first, then the newest. */
  facts: readonly MemoryFact[];
  /** Current and past facts, if they were requested. */
  history: readonly MemoryFact[] | undefined;
  /** Claims of others that wait to be confirmed. */
  review: readonly ReviewItem[];
  entities: readonly MemoryEntity[];
  summary: SummaryInView | undefined;
  jobs: readonly MemoryJob[];
  /** Conversation titles by session id. */
  titles: ReadonlyMap<string, string>;
  /** Session ids by message id. */
  sessionOf: ReadonlyMap<string, string>;
}

export interface SummaryInView extends SessionSummary {
  coveredMessages: number;
  allMessages: number;
}

/** Reads everything that the panel shows. */
export class KnownThingsReader {
  readonly #memory: Memory;
  readonly #messageSessions: MessageSessions;

  constructor(memory: Memory) {
    this.#memory = memory;
    this.#messageSessions = new MessageSessions(memory);
  }

  async read(sessionId: string, withHistory: boolean): Promise<KnownThings> {
    const [facts, history, review, entities, summary, jobs, sessions] = await Promise.all([
      this.#memory.facts.list(),
      withHistory ? this.#memory.facts.list({ includeHistory: true }) : undefined,
      this.#memory.review.list(),
      this.#memory.facts.entities(),
      this.#summary(sessionId),
      this.#memory.work.list(),
      this.#memory.sessions(),
    ]);
    const messageIds = [
      ...(history ?? facts).flatMap(messageIdsOf),
      ...entities.flatMap(({ sources }) => sources),
    ];
    return {
      facts: facts.toSorted(newestFirst),
      history: history?.toSorted(newestFirst),
      review,
      entities: listedEntities(entities, history ?? facts).toSorted((a, b) => a.name.localeCompare(b.name)),
      summary,
      jobs,
      titles: new Map(sessions.map(({ id, title }) => [id, title])),
      sessionOf: await this.#messageSessions.find(messageIds),
    };
  }

  async #summary(sessionId: string): Promise<SummaryInView | undefined> {
    const [summary, history] = await Promise.all([
      this.#memory.summary({ sessionId }),
      this.#memory.history({ sessionId }),
    ]);
    if (!summary) return undefined;
    const covered = history.filter(({ seq }) => seq <= summary.coversSeq);
    return { ...summary, coveredMessages: covered.length, allMessages: history.length };
  }
}

/** Ids of the messages that state a fact. */
export function messageIdsOf({ sources }: Pick<MemoryFact, 'sources'>): string[] {
  return [...new Set(sources.map(({ messageId }) => messageId))];
}

/**
 * The entities worth listing: all but the user that have a note, a fact of their own, or a fact that names them. Objects
 * that only describe (`vegan`, `14th of June`) are left out.
 */
function listedEntities(entities: readonly MemoryEntity[], facts: readonly MemoryFact[]): MemoryEntity[] {
  const named = new Set(
    facts.flatMap(({ subject, object }) => [subject, ...(isName(object) ? [object] : [])]),
  );
  return entities.filter(
    ({ name, aliases, summary }) =>
      name !== USER && (summary !== '' || [name, ...aliases].some((each) => named.has(each))),
  );
}

/** Whether words begin like a name: with a capital, or in a script without capitals. */
function isName(words: string): boolean {
  return /^[\p{Lu}\p{Lt}\p{Lo}]/u.test(words);
}

function newestFirst(a: MemoryFact, b: MemoryFact): number {
  return Number(b.isPinned) - Number(a.isPinned) || b.recordedAt - a.recordedAt || b.validFrom - a.validFrom;
}
