import type { MemoryFact, SearchResult, StoredMessage } from '../../src/index.ts';
import { sentenceTo } from '../memory/fact-sentence.ts';
import { messageIdsOf } from '../memory/known-things.ts';
import { messageText } from '../memory/turns.ts';
import { h } from '../page/element.ts';
import { shortTime } from '../page/format.ts';
import { renderMarkdown } from '../page/markdown.ts';
import { routeToHash } from '../page/route.ts';
import { excerpt, type Piece } from './highlight.ts';

/** A found message: a link with an excerpt around the first hit. */
export function messageResult({ message }: SearchResult, wanted: readonly string[]): HTMLElement {
  return result(
    routeToHash({ sessionId: message.sessionId, messageId: message.id }),
    excerpt(plainText(message), wanted, MAX_CHARACTERS),
    `${message.role === 'user' ? 'You' : 'Answer'} · ${shortTime(message.createdAt)}`,
  );
}

/** A found fact: a link to the first message that states it, if that message still exists. */
export function factResult(
  fact: MemoryFact,
  sessionOf: ReadonlyMap<string, string>,
  wanted: readonly string[],
): HTMLElement {
  const messageId = messageIdsOf(fact).find((id) => sessionOf.has(id));
  const sessionId = messageId === undefined ? undefined : sessionOf.get(messageId);
  return result(
    messageId === undefined || sessionId === undefined ? undefined : routeToHash({ sessionId, messageId }),
    excerpt(sentenceTo(fact), wanted, MAX_CHARACTERS),
    `Known since ${shortTime(fact.validFrom)}`,
  );
}

const MAX_CHARACTERS = 140;

function result(href: string | undefined, pieces: readonly Piece[], meta: string): HTMLElement {
  const content = [
    h(
      'span',
      { class: 'result-text' },
      ...pieces.map(({ text, isHit }) => (isHit ? h('mark', {}, text) : text)),
    ),
    h('span', { class: 'result-meta' }, meta),
  ];
  return h(
    'li',
    {},
    href === undefined
      ? h('div', { class: 'result', tabindex: 0 }, ...content)
      : h('a', { class: 'result', href }, ...content),
  );
}

/** The text of a message as it is displayed: an answer without its markdown. */
function plainText(message: Pick<StoredMessage, 'role' | 'content'>): string {
  const text = messageText(message);
  if (message.role !== 'assistant') return text;
  const rendered = renderMarkdown(text);
  for (const block of rendered.querySelectorAll('p, li, pre, h1, h2, h3, h4, h5, h6, td, th, br'))
    block.after(' ');
  return rendered.textContent ?? '';
}
