import { messageText, type ChatMessage } from '../../src/model/message.ts';
import type { ChatMessageHistory } from '../../src/sessions/chat-message-history.ts';
import {
  withMessageHistory,
  type SessionConfig,
  type WithMessageHistoryOptions,
} from '../../src/components/chain/with-message-history.ts';
import type { Given, MessageRow, Step } from './case.ts';
import { toMessage, toMessages } from './message-rows.ts';
import type { Subject } from './subject.ts';
import { type World, ScriptedFailure } from './world.ts';
import type { Runnable } from '../../src/components/chain/runnable.ts';

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

/** The runnable that a case names, as `kind:argument`; it finds the history under `historyKey`. */
function scriptedRunnable(spec: string, historyKey = 'history'): Runnable<unknown, unknown> {
  const [kind, argument] = splitOnce(spec, ':');
  const messagesIn = (input: unknown): ChatMessage[] => readMessages(input, historyKey);
  switch (kind) {
    case 'const':
      return () => argument;
    case 'echoHumans':
    case 'echoHistoryAndInput':
      return (input) => echo(messagesIn(input), argument);
    case 'dict':
      return () => Object.fromEntries(argument.split(',').map((pair) => splitOnce(pair, '=')));
    case 'streamModel':
      return { invoke: () => argument, stream: () => characters(argument) };
    case 'slowEcho':
    case 'slowEchoInput': {
      const delays = new Map(argument.split(',').map((pair) => splitOnce(pair, '=')));
      return async (input) => {
        const text = messagesIn(input).findLast((message) => message.role === 'user');
        const said = text ? messageText(text) : '';
        await new Promise((resolve) => setTimeout(resolve, Number(delays.get(said) ?? 0)));
        return `re:${said}`;
      };
    }
    case 'throws':
      return () => {
        throw new ScriptedFailure(argument);
      };
    default:
      throw new Error(`unknown runnable "${spec}"`);
  }
}

function echo(messages: readonly ChatMessage[], argument: string): unknown {
  const humans = messages.filter((message) => message.role === 'user');
  const text = `you said: ${humans.map(messageText).join('\n')}`;
  if (argument === '') return text;
  const answer: ChatMessage = { role: 'assistant', content: text };
  if (argument === 'message') return answer;
  if (argument === 'messages') return [answer];
  // As an object with the answer under this key.
  return { [argument]: [answer] };
}

/** The messages of an input in the order of a request: a history first, then the input itself. */
function readMessages(input: unknown, historyKey: string): ChatMessage[] {
  if (typeof input === 'string') return [{ role: 'user', content: input }];
  if (Array.isArray(input)) return input as ChatMessage[];
  const { [historyKey]: history = [], ...others } = input as Record<string, unknown>;
  if ('role' in others) return [others as ChatMessage];
  const isText = (value: unknown): boolean => typeof value === 'object' || typeof value === 'string';
  const values = Object.values(others).filter((value) => value !== null && isText(value));
  return [history, ...values].flatMap((value) => readMessages(value, historyKey));
}

async function* characters(text: string): AsyncGenerator<string> {
  for (const character of text) yield character;
}

function splitOnce(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark);
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + mark.length)];
}
