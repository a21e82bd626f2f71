import type { ChatMessage, ContentPart } from '../../model/message.ts';
import { largestPassing } from '../../model/binary-search.ts';

/** The end of a list, or of a message, that is kept. */
export type Edge = 'first' | 'last';

/**
 * Returns the largest part of a message that fits: as many of its content parts as possible, or as many pieces of its
 * text; undefined if not even one piece fits.
 */
export async function cutMessage(
  message: ChatMessage,
  edge: Edge,
  fits: (part: ChatMessage) => Promise<boolean>,
  splitText: (text: string) => readonly string[] | Promise<readonly string[]>,
): Promise<ChatMessage | undefined> {
  const { content } = message;
  if (Array.isArray(content)) {
    for (let size = content.length - 1; size > 0; size -= 1) {
      const part = withContent(message, takeEdge(content, edge, size));
      if (await fits(part)) return part;
    }
  }
  const text = textAtEdge(content, edge);
  if (text === undefined) return undefined;
  const pieces = await splitText(text);
  const cut = (size: number): ChatMessage => withContent(message, takeEdge(pieces, edge, size).join(''));
  const size = await largestPassing(pieces.length, (candidate) => fits(cut(candidate)));
  return size === 0 ? undefined : cut(size);
}

/** Returns the lines of a text, each with its line break. */
export function splitLines(text: string): string[] {
  return text.split(/(?<=\n)/);
}

/** Returns the first or the last items of a list, in order. */
export function takeEdge<T>(list: readonly T[], edge: Edge, size: number): T[] {
  return edge === 'first' ? list.slice(0, size) : list.slice(list.length - size);
}

function textAtEdge(content: ChatMessage['content'], edge: Edge): string | undefined {
  if (!Array.isArray(content)) return content ?? undefined;
  const texts = content.flatMap((part) => (part.type === 'text' ? [String(part['text'])] : []));
  return edge === 'first' ? texts[0] : texts.at(-1);
}

function withContent(message: ChatMessage, content: string | ContentPart[]): ChatMessage {
  // The cast is safe: only messages whose content may be a list get one.
  return { ...message, content } as ChatMessage;
}
