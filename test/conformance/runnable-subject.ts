import { messageText } from '../../src/model/message.ts';
import type { ChatMessageHistory } from '../../src/sessions/chat-message-history.ts';
import {
  withMessageHistory,
  type SessionConfig,
  type WithMessageHistoryOptions,
} from '../../src/components/chain/with-message-history.ts';
import type { Given, MessageRow, Step } from './case.ts';
import { scriptedRunnable } from './runnables.ts';
import { toMessage, toMessages } from './message-rows.ts';
import type { Subject } from './subject.ts';
import type { World } from './world.ts';

const TYPE_NAMES = {
  user: 'HumanMessage',
  assistant: 'AIMessage',
  system: 'SystemMessage',
  tool: 'ToolMessage',
};

export function runnableSubject(given: Given, world: World): Subject {
  const histories = new Map<string, Promise<ChatMessageHistory>>();
  const historyOf = (sessionId: string): Promise<ChatMessageHistory> => {
    const known = histories.get(sessionId) ?? world.prepareHistory(given);
    histories.set(sessionId, known);
    return known;
  };
  const options: WithMessageHistoryOptions = {
    ...given.options,
    getSessionHistory: historyOf,
    onWarning: world.onWarning,
  };
  const runnable = withMessageHistory(
    scriptedRunnable(given.runnable ?? '', options.historyMessagesKey),
    options,
  );
  return {
    userName: 'human',
    operations: {
      construct: () => undefined,
      invoke: (step) => runnable.invoke(inputOf(step['input']), configOf(step)),
      invokeParallel: (step) =>
        Promise.all(
          (step['inputs'] as unknown[]).map((input) => runnable.invoke(inputOf(input), configOf(step))),
        ),
      stream: async (step) => {
        let text = '';
        for await (const chunk of runnable.stream(inputOf(step['input']), configOf(step)))
          text += String(chunk);
        return text;
      },
      streamAbort: async (step) => {
        const stream = runnable.stream(inputOf(step['input']), configOf(step));
        for (let chunk = 0; chunk < Number(step['afterChunks']); chunk += 1) await stream.next();
        await stream.return();
      },
      history: async ({ session }) => (await historyOf(String(session))).getMessages(),
      historyTypes: async ({ session }) => {
        const messages = await (await historyOf(String(session))).getMessages();
        return messages.map((message) => TYPE_NAMES[message.role]);
      },
      /** Messages in any state, as `role/state/content`. */
      listAll: async ({ session }) => {
        const messages = await (await historyOf(String(session))).list();
        return messages.map((message) => `${message.role}/${message.state}/${messageText(message)}`);
      },
      sessions: () => [...histories.keys()],
    },
  };
}

function configOf({ session }: Step): SessionConfig {
  return { configurable: { sessionId: session as string } };
}

/** A list of rows is a list of messages, a row alone is a message; so it is under a key. */
function inputOf(input: unknown): unknown {
  if (Array.isArray(input)) return isRow(input) ? toMessage(input) : toMessages(input);
  if (typeof input !== 'object' || input === null) return input;
  return Object.fromEntries(
    Object.entries(input).map(([key, value]) => [key, Array.isArray(value) ? inputOf(value) : value]),
  );
}

function isRow(list: readonly unknown[]): list is MessageRow {
  return typeof list[0] === 'string';
}
