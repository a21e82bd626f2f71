import { AbstractChat, DefaultChatTransport, type ChatState, type ChatStatus, type UIMessage } from 'ai';
import type { AnswerSource } from '../../../../src/index.ts';
import { loadUIMessages, memoryTransport, type RecallLimits } from '../../../../src/integrations/ai-sdk.ts';
import { lineOf, textOf } from '../message-text.ts';
import { openPageMemory } from '../page-memory.ts';

/** What the test does with the page. */
export interface RoutePage {
  /** Opens a chat with the messages that are stored of it. */
  open(id: string, options?: Pick<RecallLimits, 'timeoutMs' | 'history' | 'remember'>): Promise<void>;
  /** Sends a message, and resolves when it is answered. With the index of a message, it takes that message's place. */
  send(text: string, replaced?: number): Promise<void>;
  /** Sends a message and stops as soon as some of the answer has arrived. */
  sendAndStop(text: string): Promise<void>;
  regenerate(): Promise<void>;
  /** Role and text of each message on the page, and the message of an error. */
  shown(): string[];
  /** State and text of each stored message of the open chat. */
  stored(): Promise<string[]>;
  sourcesOfLast(): Promise<AnswerSource[]>;
  /** Lets the memory hang, or fail, from now on. */
  breakMemory(how: 'hang' | 'fail'): void;
}

declare global {
  interface Window {
    readonly route: RoutePage;
  }
}

class PlainState implements ChatState<UIMessage> {
  status: ChatStatus = 'ready';
  error: Error | undefined = undefined;
  messages: UIMessage[];

  constructor(messages: UIMessage[]) {
    this.messages = messages;
  }

  pushMessage = (message: UIMessage): void => void (this.messages = [...this.messages, message]);
  popMessage = (): void => void (this.messages = this.messages.slice(0, -1));
  replaceMessage = (index: number, message: UIMessage): void => {
    this.messages = this.messages.map((other, at) => (at === index ? message : other));
  };
  snapshot = <T>(thing: T): T => structuredClone(thing);
}

/** `useChat` without React. */
class PageChat extends AbstractChat<UIMessage> {}

const { memory, pageMemory } = await openPageMemory();
let chat = new PageChat({ state: new PlainState([]) });

const route: RoutePage = {
  async open(id, options = {}) {
    const transport = memoryTransport(memory, {
      transport: new DefaultChatTransport({ api: '/api/chat' }),
      ...options,
    });
    chat = new PageChat({ id, transport, state: new PlainState(await loadUIMessages(memory, id)) });
  },
  async send(text, replaced) {
    const messageId = replaced === undefined ? undefined : chat.messages[replaced]?.id;
    await chat.sendMessage(messageId === undefined ? { text } : { text, messageId });
  },
  async sendAndStop(text) {
    const before = chat.messages.length;
    const sent = chat.sendMessage({ text });
    while (textOf(chat.messages[before + 1] ?? { role: 'assistant', parts: [] }) === '')
      await new Promise((resolve) => setTimeout(resolve, 10));
    await chat.stop();
    await sent;
  },
  regenerate: () => chat.regenerate(),
  shown: () => [...chat.messages.map(lineOf), ...(chat.error ? [`error: ${chat.error.message}`] : [])],
  stored: () => pageMemory.stored(chat.id),
  sourcesOfLast: () => pageMemory.sources(chat.messages.at(-1)?.id ?? ''),
  breakMemory(how) {
    const broken = (): Promise<never> =>
      how === 'hang' ? new Promise(() => undefined) : Promise.reject(new Error('broken'));
    Object.assign(memory, { remember: broken, recall: broken });
  },
};
Object.assign(window, { route, pageMemory });
