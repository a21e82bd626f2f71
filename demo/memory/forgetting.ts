import type {
  Memory,
  ForgetReceipt,
  ForgetSelector,
  MemoryEntity,
  MemoryFact,
  SessionInfo,
  StoredMessage,
} from '../../src/index.ts';
import { confirmDialog } from '../page/confirm-dialog.ts';
import { count } from '../page/format.ts';
import { answerSources } from './answer-metadata.ts';
import { sentenceTo } from './fact-sentence.ts';
import { messageText, type Turn } from './turns.ts';

/** Asks for confirmation, forgets, and reports what was erased. Each method returns the receipt, or undefined if the user canceled. */
export class Forgetting {
  readonly #memory: Memory;
  readonly #notify: (text: string) => void;

  constructor(memory: Memory, notify: (text: string) => void) {
    this.#memory = memory;
    this.#notify = notify;
  }

  async message(message: StoredMessage): Promise<ForgetReceipt | undefined> {
    return this.#ask(
      [message],
      { messageId: message.id },
      {
        title: message.role === 'user' ? 'Forget what you wrote?' : 'Forget this answer?',
        text: 'It is erased from this browser, with everything that the memory learned from it. The other half of the turn stays.',
      },
    );
  }

  async turn(turn: Turn): Promise<ForgetReceipt | undefined> {
    return this.#ask(
      turn.messages,
      { turnId: turn.id },
      {
        title: 'Forget this turn?',
        text: 'Question and answer are erased from this browser, with everything that the memory learned from them.',
      },
    );
  }

  async fact(fact: MemoryFact): Promise<ForgetReceipt | undefined> {
    return this.#askWithSources(
      fact.sources.map(({ messageId }) => messageId),
      { factId: fact.id },
      {
        title: 'Forget this fact?',
        text: `“${sentenceTo(fact)}” is erased from this browser and is not learned again from what was said so far.`,
      },
    );
  }

  async entity({ name }: MemoryEntity): Promise<ForgetReceipt | undefined> {
    const alone = await this.#memory.forget({ entity: name }, { preview: true });
    const naming = alone.turnsStillNaming;
    const confirmed = await confirmDialog({
      title: `Forget “${name}”?`,
      text: `${describe(alone, 'This erases')} Nothing about “${name}” is learned again from what was said so far. ${
        naming === 0
          ? 'No turn contains the name.'
          : `${count(naming, 'turn')} still ${naming === 1 ? 'contains' : 'contain'} the name.`
      }`,
      action: 'Forget',
      ...(naming > 0
        ? {
            option: `Also forget ${naming === 1 ? 'this turn' : `these ${naming} turns`}`,
            isOptionChecked: false,
          }
        : {}),
    });
    if (!confirmed) return undefined;
    return this.#forget([{ entity: name, ...(confirmed.withOption ? { turns: true } : {}) }]);
  }

  async session(session: SessionInfo): Promise<ForgetReceipt | undefined> {
    const confirmed = await confirmDialog({
      title: 'Forget this conversation?',
      text: `“${session.title || 'Untitled conversation'}” and its ${count(session.messageCount, 'message')} are erased from this browser. Later chats will not remember it.`,
      action: 'Forget',
    });
    return confirmed && this.#forget([{ sessionId: session.id }]);
  }

  async everything(): Promise<ForgetReceipt | undefined> {
    const confirmed = await confirmDialog({
      title: 'Forget everything?',
      text: 'All conversations and everything that the memory learned from them are erased from this browser. Only a backup that you exported before brings them back.',
      action: 'Forget everything',
    });
    return confirmed && this.#forget([{ everything: true }]);
  }

  /** Forgets what was learned. Its source messages, and messages that repeat them, are forgotten if the user agrees. */
  async #askWithSources(
    sources: readonly string[],
    selector: ForgetSelector,
    question: { title: string; text: string },
  ): Promise<ForgetReceipt | undefined> {
    const wanted = new Set(sources);
    const all = await this.#allMessages();
    const stating = all.filter(({ id }) => wanted.has(id));
    const messages = [...stating, ...findCopies(stating, all)];
    const confirmed = await confirmDialog({
      ...question,
      action: 'Forget',
      ...(messages.length > 0
        ? {
            option: `Also forget ${count(messages.length, 'message')} that ${messages.length === 1 ? 'mentions' : 'mention'} it`,
            isOptionChecked: false,
          }
        : {}),
    });
    if (!confirmed) return undefined;
    const chosen = confirmed.withOption ? messages.map(({ id }) => ({ messageId: id })) : [];
    return this.#forget([selector, ...chosen]);
  }

  async #ask(
    messages: readonly StoredMessage[],
    selector: ForgetSelector,
    question: { title: string; text: string },
  ): Promise<ForgetReceipt | undefined> {
    const copies = findCopies(messages, await this.#allMessages());
    const confirmed = await confirmDialog({
      ...question,
      action: 'Forget',
      ...(copies.length > 0
        ? { option: `Also forget ${count(copies.length, 'other message')} with the same words in it` }
        : {}),
    });
    if (!confirmed) return undefined;
    const copied = confirmed.withOption ? copies.map(({ id }) => ({ messageId: id })) : [];
    return this.#forget([selector, ...copied]);
  }

  async #allMessages(): Promise<StoredMessage[]> {
    const sessions = await this.#memory.sessions();
    return (await Promise.all(sessions.map(({ id }) => this.#memory.history({ sessionId: id })))).flat();
  }

  async #forget(selectors: readonly ForgetSelector[]): Promise<ForgetReceipt> {
    const total: ForgetReceipt = {
      messages: 0,
      turns: 0,
      sessions: 0,
      documents: 0,
      vectors: 0,
      facts: 0,
      entities: 0,
      summaries: 0,
      turnsStillNaming: 0,
    };
    for (const selector of selectors) {
      const receipt = await this.#memory.forget(selector);
      for (const name of Object.keys(total) as (keyof ForgetReceipt)[]) {
        total[name] = (total[name] ?? 0) + (receipt[name] ?? 0);
      }
    }
    this.#notify(describe(total, 'Forgotten:'));
    return total;
  }
}

/** Shorter texts ("yes", "thank you") occur in many messages that are not copies of each other. */
const MIN_COPY_LENGTH = 12;

/** Other messages that contain one of these texts in full, and answers of the page that are based on them. */
function findCopies(messages: readonly StoredMessage[], all: readonly StoredMessage[]): StoredMessage[] {
  const own = new Set(messages.map(({ id }) => id));
  const texts = messages.flatMap((message) => {
    const text = normalize(messageText(message));
    return message.role === 'user' && text.length >= MIN_COPY_LENGTH ? [text] : [];
  });
  return all.filter((message) => {
    const text = normalize(messageText(message));
    if (own.has(message.id)) return false;
    return answerSources(message).some((id) => own.has(id)) || texts.some((wanted) => text.includes(wanted));
  });
}

/** Removes what quoting changes: marks at the beginning of lines, and spaces between words. */
function normalize(text: string): string {
  return text
    .replaceAll(/^\s*>\s?/gm, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .toLowerCase();
}

function describe(receipt: ForgetReceipt, opening: string): string {
  const { messages, turns, sessions, vectors, facts, entities, summaries } = receipt;
  const parts = [
    ...(messages > 0 ? [`${count(messages, 'message')} in ${count(turns, 'turn')}`] : []),
    ...(sessions > 0 ? [count(sessions, 'conversation')] : []),
    ...(vectors > 0 ? [count(vectors, 'embedding')] : []),
    ...(facts > 0 ? [count(facts, 'fact')] : []),
    ...(entities > 0 ? [entities === 1 ? '1 entity' : `${entities} entities`] : []),
    ...(summaries > 0 ? [summaries === 1 ? '1 summary' : `${summaries} summaries`] : []),
  ];
  return parts.length === 0 ? 'There is nothing left to forget.' : `${opening} ${parts.join(', ')}.`;
}
