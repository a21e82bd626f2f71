import { hasQuote } from '../../model/memory-quote.ts';

interface MessageOfPage {
  readonly role: string;
  readonly parts: readonly { readonly type: string }[];
}

/**
 * Separates what `memoryTransport` has put before the question from the messages of a page, for a server that places it
 * itself, for example after its system text. Needs neither a browser nor a memory.
 *
 * @returns the recalled text with its notice, empty if there is none, and the messages without it
 * @example
 * const { recalled, messages } = takeRecalled((await request.json()).messages);
 * streamText({ model, system: `You are brief.\n\n${recalled}`, messages: await convertToModelMessages(messages) });
 */
export function takeRecalled<Message extends MessageOfPage>(
  messages: readonly Message[],
): { recalled: string; messages: Message[] } {
  const at = messages.findLastIndex(({ role }) => role === 'user');
  const asked = messages[at];
  const [first, ...rest] = asked?.parts ?? [];
  const text = first?.type === 'text' ? String((first as { text?: unknown }).text) : '';
  if (!asked || rest.length === 0 || !hasQuote(text)) return { recalled: '', messages: [...messages] };
  return {
    recalled: text,
    messages: messages.map((message, index) => (index === at ? { ...asked, parts: rest } : message)),
  };
}
