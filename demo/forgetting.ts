import { confirmDialog } from './confirm-dialog.ts';
import { count } from './format.ts';
import type { ChatMemory, ForgetSelector, StoredMessage, ForgetReceipt, SessionInfo } from '../src/index.ts';
import { messageText, type Turn } from './turns.ts';

/** Asks, forgets, and tells how much is gone. Each method gives the receipt, or undefined if nothing was done. */
export class Forgetting {
  readonly #memory: ChatMemory;
  readonly #tell: (text: string) => void;

  constructor(memory: ChatMemory, tell: (text: string) => void) {
    this.#memory = memory;
    this.#tell = tell;
  }

  async message(message: StoredMessage): Promise<ForgetReceipt | undefined> {
    return this.#ask(
      [message],
      { messageId: message.id },
      {
        title: message.role === 'user' ? 'Forget what you wrote?' : 'Forget this answer?',
        text: 'It is erased from this browser, with everything that the memory made of it. The other half of the turn stays.',
      },
    );
  }

  async turn(turn: Turn): Promise<ForgetReceipt | undefined> {
    return this.#ask(
      turn.messages,
      { turnId: turn.id },
      {
        title: 'Forget this turn?',
        text: 'Question and answer are erased from this browser, with everything that the memory made of them.',
      },
    );
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
      text: 'All conversations and everything that the memory made of them are erased from this browser. This cannot be taken back.',
      action: 'Forget everything',
    });
    return confirmed && this.#forget([{ everything: true }]);
  }

  async #ask(
    messages: readonly StoredMessage[],
    selector: ForgetSelector,
    question: { title: string; text: string },
  ): Promise<ForgetReceipt | undefined> {
    const copies = await this.#findCopies(messages);
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

  /** Other messages that repeat the user's words whole, as an answer that quotes them does. */
  async #findCopies(messages: readonly StoredMessage[]): Promise<StoredMessage[]> {
    const own = new Set(messages.map(({ id }) => id));
    const texts = messages.flatMap((message) => {
      const text = normalise(messageText(message));
      return message.role === 'user' && text.length >= MIN_COPY_LENGTH ? [text] : [];
    });
    if (texts.length === 0) return [];
    const sessions = await this.#memory.sessions();
    const histories = await Promise.all(sessions.map(({ id }) => this.#memory.history(id)));
    return histories.flat().filter((message) => {
      const text = normalise(messageText(message));
      return !own.has(message.id) && texts.some((wanted) => text.includes(wanted));
    });
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
    };
    for (const selector of selectors) {
      const receipt = await this.#memory.forget(selector);
      for (const name of Object.keys(total) as (keyof ForgetReceipt)[]) total[name] += receipt[name];
    }
    this.#tell(describe(total));
    return total;
  }
}

/** Shorter texts ("yes", "thank you") stand in many messages without being copies of one another. */
const MIN_COPY_LENGTH = 12;

/** Quoting adds marks in front of lines and changes the spaces between words. */
function normalise(text: string): string {
  return text
    .replaceAll(/^\s*>\s?/gm, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .toLowerCase();
}

function describe({ messages, turns, sessions, vectors }: ForgetReceipt): string {
  const parts = [
    `${count(messages, 'message')} in ${count(turns, 'turn')}`,
    ...(sessions > 0 ? [count(sessions, 'conversation')] : []),
    count(vectors, 'embedding'),
  ];
  return `Forgotten: ${parts.join(', ')}.`;
}
