import { KnowledgeGraph } from '../../src/graph/knowledge-graph.ts';
import { InMemoryEntityStore, type EntityStore } from '../../src/sessions/entity-store.ts';
import { scopeGraph, type StoredGraph } from '../../src/learning/scope-graph.ts';
import { InMemoryChatMemoryStore, type ChatMemoryStore } from '../../src/sessions/chat-memory-store.ts';
import type { ChatMessageHistory } from '../../src/sessions/chat-message-history.ts';
import { InMemoryChatMessageHistory } from '../../src/sessions/in-memory-history.ts';
import type { MemoryDatabase } from '../../src/sessions/memory-database.ts';
import type { LLM } from '../../src/llm/llm.ts';
import { messageText } from '../../src/model/message.ts';
import type { Warning } from '../../src/model/warning.ts';
import type { Given } from './case.ts';
import { toMessages } from './message-rows.ts';
import { printingPrompts, type PromptName } from './printed-prompts.ts';

/** A failure that a case scripts: not one of ours, and passed through as it is. */
export class ScriptedFailure extends Error {}

/** What one case is played in: where things are stored, and which events are recorded. */
export class World {
  readonly warnings: Warning[] = [];
  /** The text of every model call. */
  readonly prompts: string[] = [];
  /** Undefined where all is kept in memory. */
  readonly database: MemoryDatabase | undefined;
  readonly #isPrinting: boolean;
  #histories = 0;

  /** @param prompts `printing` where the case looks at the variables of the prompts */
  constructor(database: MemoryDatabase | undefined, prompts: 'default' | 'printing' = 'default') {
    this.database = database;
    this.#isPrinting = prompts === 'printing';
  }

  readonly onWarning = (warning: Warning): void => {
    this.warnings.push(warning);
  };

  /** The option `prompts` of a component that has these. */
  promptsOption(names: readonly PromptName[]): { prompts?: Record<string, string> } {
    return this.#isPrinting ? { prompts: printingPrompts(names) } : {};
  }

  newHistory(): ChatMessageHistory {
    this.#histories += 1;
    return this.database?.chatHistory(`history-${this.#histories}`) ?? new InMemoryChatMessageHistory();
  }

  /** The history of `given.historyKind`, with `given.history` in it. */
  async prepareHistory(given: Given): Promise<ChatMessageHistory> {
    const history = this.newHistory();
    if (given.history) await history.addMessages(toMessages(given.history));
    switch (given.historyKind) {
      case undefined:
      // All our histories hand out fresh lists.
      case 'copy':
        return history;
      case 'addThrows':
        return failingHistory(history);
      default:
        throw new Error(`unknown kind of history "${given.historyKind}"`);
    }
  }

  newChatMemoryStore(): ChatMemoryStore {
    return this.database?.chatMemoryStore() ?? new InMemoryChatMemoryStore();
  }

  newEntityStore(): EntityStore {
    return this.database ? this.database.entityStore() : new InMemoryEntityStore();
  }

  newGraph(): KnowledgeGraph | StoredGraph {
    return this.database ? scopeGraph({ database: this.database }) : new KnowledgeGraph();
  }

  /** A model that gives the replies in order, then `NONE`. */
  newLLM(given: Given): LLM {
    const replies = [...(given.llm?.replies ?? [])];
    return async ({ messages }) => {
      this.prompts.push(messages.map(messageText).join('\n'));
      const text = replies.shift() ?? 'NONE';
      if (text === '!throw') throw new ScriptedFailure('llm down');
      return { text };
    };
  }
}

function failingHistory(history: ChatMessageHistory): ChatMessageHistory {
  const fail = async (): Promise<never> => {
    throw new ScriptedFailure('write failed');
  };
  return {
    getMessages: () => history.getMessages(),
    list: (options) => history.list(options),
    clear: () => history.clear(),
    addMessages: fail,
    addMessage: fail,
    addUserMessage: fail,
    addAIMessage: fail,
    addAIChatMessage: fail,
  };
}
