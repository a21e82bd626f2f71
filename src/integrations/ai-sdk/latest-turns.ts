import { approximateTokenizer } from '../../index.ts';
import type { RecallLimits } from './recall-limits.ts';

const { countText } = approximateTokenizer();

/** What is sent of a conversation. */
export interface SentMessages<Message> {
  readonly messages: readonly Message[];
  /** Index of the question in these messages. */
  readonly asked: number;
  /** Index of the first of them after the system texts. */
  readonly first: number;
  /** Whether earlier turns are left out. */
  readonly isCut: boolean;
}

/**
 * Returns the latest whole turns of a conversation that fit `history`. A turn begins with a message of the user. System
 * texts before the conversation, the question and what follows it are always sent.
 */
export function latestTurns<Message extends { readonly role: string }>(
  messages: readonly Message[],
  asked: number,
  history: RecallLimits['history'],
): SentMessages<Message> {
  const first = messages.findIndex(({ role }) => role !== 'system');
  const start = history ? startOfLatest(messages, asked, first, history.maxTokens) : first;
  if (start === first) return { messages, asked, first, isCut: false };
  const sent = [...messages.slice(0, first), ...messages.slice(start)];
  return { messages: sent, asked: asked - (start - first), first, isCut: true };
}

function startOfLatest(
  messages: readonly { readonly role: string }[],
  asked: number,
  first: number,
  maxTokens: number,
): number {
  let start = asked;
  let tokens = 0;
  for (let index = asked - 1; index >= first; index -= 1) {
    tokens += countText(JSON.stringify(contentOf(messages[index]), withoutData) ?? '');
    if (tokens > maxTokens) return start;
    if (messages[index]?.role === 'user') start = index;
  }
  return first;
}

/** Returns what a model reads of a message of a page or of a prompt. */
function contentOf(message: object | undefined): unknown {
  const { parts, content } = (message ?? {}) as { parts?: unknown; content?: unknown };
  return parts ?? content;
}

/** The data of files are not text: what they cost is up to the model. In a prompt, they are base64 without a scheme. */
function withoutData(this: unknown, key: string, value: unknown): unknown {
  const { type } = this as { readonly type?: unknown };
  const isOfFile = FILE_FIELDS.has(key) && typeof type === 'string' && FILE_TYPES.has(type);
  if (typeof value === 'bigint') return String(value); // a result of a tool that runs on the page
  const isData = ArrayBuffer.isView(value) || (typeof value === 'string' && value.startsWith('data:'));
  return isOfFile || isData ? '' : value;
}

const FILE_TYPES: ReadonlySet<string> = new Set([
  'file',
  'image',
  'reasoning-file',
  'file-data',
  'image-data',
  'media',
]);
const FILE_FIELDS: ReadonlySet<string> = new Set(['data', 'image']);
