import type { ScriptedLLMServer } from '../../fakes/scripted-llm-server.ts';

/** Returns the messages of the last request as the endpoint got them, with marks and days that are always the same. */
export function sentMessages({ requests }: ScriptedLLMServer): string {
  const messages = requests.at(-1)?.body.messages ?? [];
  return messages
    .map(({ role, content }) => {
      const text = typeof content === 'string' ? content : JSON.stringify(content, undefined, 1);
      return `${role}: ${text}`;
    })
    .join('\n---\n')
    .replaceAll(/memory-[0-9a-f]+/gu, 'memory-X')
    .replaceAll(/\d{4}-\d\d-\d\d/gu, 'DAY');
}
