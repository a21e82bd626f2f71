import type { Memory, MemoryFact, StoredMessage } from '../../src/index.ts';
import { sentenceTo } from '../memory/fact-sentence.ts';
import { messageIdsOf } from '../memory/known-things.ts';
import { messageText } from '../memory/turns.ts';
import { h } from '../page/element.ts';
import { shortTime } from '../page/format.ts';
import { sourceLinks } from './fact-item.ts';

/** Lists facts, each with the messages that state it. */
export async function nodeDetails(
  memory: Memory,
  facts: readonly MemoryFact[],
  sessionOf: ReadonlyMap<string, string>,
): Promise<HTMLElement[]> {
  const sessionIds = new Set(facts.flatMap(messageIdsOf).flatMap((id) => sessionOf.get(id) ?? []));
  const histories = await Promise.all([...sessionIds].map((id) => memory.history({ sessionId: id })));
  const messages = new Map(histories.flat().map((message) => [message.id, message]));
  if (facts.length === 0) return [h('p', { class: 'hint' }, 'No current fact mentions it.')];
  const items = facts.map((fact) => factWithSources(fact, messages, sessionOf));
  return [h('ul', { class: 'known-list', 'aria-label': 'Facts of the graph' }, ...items)];
}

function factWithSources(
  fact: MemoryFact,
  messages: ReadonlyMap<string, StoredMessage>,
  sessionOf: ReadonlyMap<string, string>,
): HTMLElement {
  const stating = messageIdsOf(fact).flatMap((id) => messages.get(id) ?? []);
  return h(
    'li',
    { class: 'known-item' },
    h('p', { class: 'fact-text' }, sentenceTo(fact)),
    ...stating.map((message) =>
      h(
        'p',
        { class: 'node-source' },
        h('span', { class: 'speaker' }, message.role === 'user' ? 'You' : 'Answer'),
        ` ${shorten(messageText(message))} `,
        h('span', { class: 'known-meta' }, shortTime(message.createdAt)),
      ),
    ),
    h('div', { class: 'known-actions' }, ...sourceLinks(fact, sessionOf)),
  );
}

function shorten(text: string): string {
  return text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text;
}

const MAX_CHARACTERS = 240;
