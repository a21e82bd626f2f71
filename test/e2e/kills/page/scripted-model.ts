import type { LLM } from '../../../../src/llm/llm.ts';
import { messageText } from '../../../../src/model/message.ts';

/** What a call says that no other call says: if two calls had an effect, it would be there twice. */
const OF_THIS_CALL = /call-[a-z]+/g;

/** A text without what tells one call from another. */
export function anyCall(text: string): string {
  return text.replaceAll(OF_THIS_CALL, 'call');
}

/**
 * A model whose replies follow from the prompt, but for a word that is another one in each call. Of each message it
 * makes a note and two facts; a summary counts the lines that it covers, each time that it covers them.
 *
 * @param onCall is awaited before the reply
 */
export function scriptedModel(onCall: () => Promise<void> = async () => undefined): LLM {
  return async (request) => {
    await onCall();
    const text = request.messages.map(messageText).join('\n');
    return { text: request.responseFormat === 'json' ? learn(text) : summarize(text) };
  };
}

function learn(prompt: string): string {
  // In letters: a number that nobody said keeps a note from being stored, and a random one may have been said.
  const call = `call-${Math.random().toString(36).slice(2).replaceAll(/\d/g, 'x')}`;
  const lines = [...prompt.matchAll(/^\{"id":"(m\d+)".*$/gm)].map(
    ([line]) => JSON.parse(line) as { id: string; text: string },
  );
  const entities = [];
  const facts = [];
  for (const { id, text } of lines) {
    const [topic] = /Topic\d+/.exec(text) ?? [];
    if (topic !== undefined) {
      entities.push({ name: topic, note: `${topic} was told of in ${call}.`, message: id });
      facts.push({ subject: topic, predicate: 'was told in', object: call, message: id });
    }
    const [quote, city] = /I live in (City\d+)/.exec(text) ?? [];
    // One value at a time: the next city ends it.
    if (quote !== undefined) {
      facts.push({ subject: 'user', predicate: 'lives in', object: city, message: id, quote });
    }
  }
  return JSON.stringify({ entities, facts });
}

function summarize(prompt: string): string {
  const [, before = ''] = /Current summary[^\n]*\n<data>\n([\s\S]*?)\n?<\/data>/.exec(prompt) ?? [];
  const [, lines = ''] = /New lines:\n<data>\n([\s\S]*?)\n?<\/data>/.exec(prompt) ?? [];
  const counted = [...lines.matchAll(/Topic\d+/g)].map(([topic]) => topic);
  return `${before} [${counted.join(' ')}]`.trim();
}
