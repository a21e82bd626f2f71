import type { UIMessage } from 'ai';
import type { StoredMessage } from '../../index.ts';
import { parsedJson, partsOf } from './prompt-messages.ts';

/** Converts a stored turn that no page has shown to UI messages. */
export function toUIMessages(messages: readonly StoredMessage[]): UIMessage[] {
  const shown: UIMessage[] = [];
  const results = new Map(
    messages.flatMap((each) => (each.role === 'tool' ? [[each.tool_call_id, each.content] as const] : [])),
  );
  for (const message of messages) {
    if (message.role === 'tool') continue;
    const parts = [...textParts(message), ...toolParts(message, results)];
    const last = shown.at(-1);
    if (parts.length === 0) continue;
    if (message.role === 'assistant' && last?.role === 'assistant')
      last.parts.push({ type: 'step-start' }, ...parts);
    else shown.push({ id: message.id, role: message.role, parts });
  }
  return shown;
}

function textParts(message: StoredMessage): UIMessage['parts'] {
  return partsOf(message).flatMap((part) =>
    part.type === 'text' && part['text'] !== '' ? [{ type: 'text', text: String(part['text']) }] : [],
  );
}

function toolParts(message: StoredMessage, results: ReadonlyMap<string, string>): UIMessage['parts'] {
  const calls = message.role === 'assistant' ? (message.tool_calls ?? []) : [];
  return calls.map(({ id, function: { name, arguments: given } }) => {
    const call = { type: 'dynamic-tool', toolName: name, toolCallId: id, input: parsedJson(given) } as const;
    const output = results.get(id);
    return output === undefined
      ? { ...call, state: 'output-error', errorText: 'No result was stored.' }
      : { ...call, state: 'output-available', output: parsedJson(output) };
  });
}
