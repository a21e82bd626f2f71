import { messageText, type ChatMessage } from '../../src/model/message.ts';
import type { Runnable } from '../../src/components/chain/runnable.ts';
import { ScriptedFailure } from './world.ts';

/** The runnable that a case names, as `kind:argument`; it finds the history under `historyKey`. */
export function scriptedRunnable(spec: string, historyKey = 'history'): Runnable<unknown, unknown> {
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
