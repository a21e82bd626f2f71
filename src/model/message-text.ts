import { messageText, toolCallsOf, type ChatMessage } from './message.ts';

export interface MessagesToTextOptions {
  /** Label of user messages. @default 'Human' */
  humanPrefix?: string;
  /** Label of assistant messages. @default 'AI' */
  aiPrefix?: string;
}

/**
 * Renders messages as `label: text` lines, one for each message, without a newline at the end.
 *
 * The text is not escaped: a message that contains "\nAI: …" looks like two. Where that matters, send messages or use
 * {@link messagesToXml}.
 *
 * @example messagesToText([{ role: 'user', content: 'hi' }]) // 'Human: hi'
 */
export function messagesToText(
  messages: readonly ChatMessage[],
  options: MessagesToTextOptions = {},
): string {
  return messages.map((message) => `${label(message, options)}: ${renderText(message)}`).join('\n');
}

/**
 * Renders each message as one `<message role="…">` element with escaped text, so that no message can imitate another
 * speaker.
 */
export function messagesToXml(messages: readonly ChatMessage[]): string {
  return messages
    .map((message) => `<message role="${message.role}">${escapeXml(renderText(message))}</message>`)
    .join('\n');
}

function label(message: ChatMessage, options: MessagesToTextOptions): string {
  switch (message.role) {
    case 'user':
      return options.humanPrefix ?? 'Human';
    case 'assistant':
      return options.aiPrefix ?? 'AI';
    case 'system':
      return 'System';
    case 'tool':
      return 'Tool';
  }
}

function renderText(message: ChatMessage): string {
  const text = messageText(message);
  const calls = toolCallsOf(message).map((call) => `${call.function.name}(${call.function.arguments})`);
  return [text, ...calls].filter((part) => part !== '').join(' ');
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
