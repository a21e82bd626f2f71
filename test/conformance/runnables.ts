import { messageText, type ChatMessage } from '../../src/model/message.ts';
import type { Runnable } from '../../src/strategies/runnable.ts';
import { ScriptedFailure } from './world.ts';

/** The runnable that a case names, as `kind:argument`. */
export function scriptedRunnable(spec: string): Runnable<unknown, unknown> {
  const [kind, argument] = splitOnce(spec, ':');
  switch (kind) {
    case 'const':
      return () => argument;
    case 'echoHumans':
    case 'echoHistoryAndInput':
      return (input) => echo(input, argument);
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
        throw new ScriptedFailure(argument || 'llm down');
      };
    default:
      throw new Error(`unknown runnable "${spec}"`);
  }
}

function echo(input: unknown, argument: string): unknown {
  const humans = messagesIn(input).filter((message) => message.role === 'user');
  const text = `you said: ${humans.map(messageText).join('\n')}`;
  if (argument === '') return text;
  if (argument === 'messages') return [{ role: 'assistant', content: text }];
  throw new Error(`unknown form of an echo "${argument}"`);
}

/** The messages of an input in the order of a request: a history first, then the input itself. */
function messagesIn(input: unknown): ChatMessage[] {
  if (typeof input === 'string') return [{ role: 'user', content: input }];
  if (Array.isArray(input)) return input as ChatMessage[];
  const { history = [], ...others } = input as Record<string, unknown>;
  if ('role' in others) return [others as ChatMessage];
  const isText = (value: unknown): boolean => typeof value === 'string' || Array.isArray(value);
  return [...messagesIn(history), ...Object.values(others).filter(isText).flatMap(messagesIn)];
}

async function* characters(text: string): AsyncGenerator<string> {
  for (const character of text) yield character;
}

function splitOnce(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark);
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + mark.length)];
}
