import { convertToModelMessages, safeValidateUIMessages, type UIMessage } from 'ai';
import { MnemoraError, type ChatMessage } from '../../../index.ts';
import { parseJson } from '../../../model/json.ts';
import { toChatMessages, type PromptMessage } from '../prompt-messages.ts';

/** Checks that messages can be stored as JSON, and returns them. @throws MnemoraError `invalid-message` */
export async function checkUIMessages(messages: readonly UIMessage[]): Promise<UIMessage[]> {
  const valid = await validUIMessages(messages);
  for (const [index, message] of messages.entries()) {
    const name = nameOf(message, index);
    try {
      parseJson([message], name);
    } catch (cause) {
      throw invalid(
        `${name} contains a value that JSON cannot represent, or a field with a reserved name. Nothing was stored.`,
        cause,
      );
    }
  }
  return valid;
}

/** Checks messages and returns them. Tool results in them may be of any type. @throws MnemoraError `invalid-message` */
export async function validUIMessages<Message extends UIMessage>(
  messages: readonly Message[],
): Promise<Message[]> {
  if (!Array.isArray(messages)) throw invalid('UI messages must be an array.');
  if (messages.length === 0) return [];
  const whole = await safeValidateUIMessages<Message>({ messages });
  if (whole.success) return whole.data;
  for (const [index, message] of messages.entries()) {
    const alone = await safeValidateUIMessages<Message>({ messages: [message] });
    if (alone.success) continue;
    const what = nameOf(message, index);
    throw invalid(`${what} is not a UI message of the AI SDK. Nothing was stored.`, alone.error);
  }
  throw invalid('These are not UI messages of the AI SDK. Nothing was stored.', whole.error);
}

/** Converts UI messages to stored messages. Tool calls without a result are left out. */
export async function fromUIMessages(messages: readonly UIMessage[]): Promise<ChatMessage[]> {
  const converted = await convertToModelMessages(messages.map(withAddresses), {
    ignoreIncompleteToolCalls: true,
  });
  return toChatMessages(converted as readonly PromptMessage[]);
}

/** `ai` 7 throws for a file whose address is relative to the page. Only its name and type are stored. */
function withAddresses(message: UIMessage): UIMessage {
  const parts = message.parts.map((part) =>
    (part.type === 'file' || part.type === 'reasoning-file') && !URL.canParse(part.url)
      ? { ...part, url: 'about:blank' }
      : part,
  );
  return { ...message, parts };
}

function nameOf(message: unknown, index: number): string {
  const { id } = Object(message) as { id?: unknown };
  return `Message ${index} (${typeof id === 'string' ? `id "${id.slice(0, 40)}"` : 'without an id'})`;
}

function invalid(message: string, cause?: unknown): MnemoraError {
  return new MnemoraError('invalid-message', message, { cause });
}
