import type { ChatMessage, ContentPart, ToolCall } from '../model/message.ts';
import { isRecord } from '../model/is-record.ts';
import { textOf } from './reply-json.ts';

/** Returns all system texts in one, for APIs that accept a single one. The last text is added to those of the messages. */
export function systemText(messages: readonly ChatMessage[], last = ''): string {
  const texts = messages.flatMap((message) => (message.role === 'system' ? [message.content] : []));
  return [...texts, last].filter((text) => text.trim() !== '').join('\n\n');
}

/** Returns the image of an `image_url` part, with its content if that is in the URL; undefined for any other part. */
export function readImagePart(
  part: ContentPart,
): { url: string; inline?: { mediaType: string; base64: string } } | undefined {
  if (part.type !== 'image_url') return undefined;
  const image = 'image_url' in part ? part['image_url'] : undefined;
  const url = textOf(isRecord(image) ? image['url'] : image);
  const [, mediaType, base64] = /^data:([^;,]+);base64,(.*)$/s.exec(url) ?? [];
  if (mediaType !== undefined && base64 !== undefined) return { url, inline: { mediaType, base64 } };
  return url === '' ? undefined : { url };
}

/**
 * Returns the arguments of a tool call as an object, which some APIs require.
 *
 * Models sometimes write invalid JSON, which stays in the history. It is sent as `{ arguments: text }`; otherwise every
 * later request of the chat would fail.
 */
export function argumentsObject({ function: { arguments: text } }: ToolCall): Record<string, unknown> {
  return parseArguments(text) ?? { arguments: text };
}

/**
 * Parses the arguments of a tool call; undefined if they are not a JSON object. Some endpoints send an empty text for no
 * arguments.
 */
export function parseArguments(text: string): Record<string, unknown> | undefined {
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
