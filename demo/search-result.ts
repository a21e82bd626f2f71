import { h } from './element.ts';
import { sentenceTo } from './fact-sentence.ts';
import { shortTime } from './format.ts';
import { excerpt, type Piece } from './highlight.ts';
import { messageIdsOf } from './known-things.ts';
import { plainText } from './plain-text.ts';
import { routeToHash } from './route.ts';
import type { MemoryFact, SearchResult } from '../src/index.ts';

/** A message that was found: a link to it, with its words around the first hit. */
export function messageResult(message: SearchResult, wanted: readonly string[]): HTMLElement {
  return result(
    routeToHash({ sessionId: message.sessionId, messageId: message.id }),
    excerpt(plainText(message), wanted, MAX_CHARACTERS),
    `${message.role === 'user' ? 'You' : 'Answer'} · ${shortTime(message.createdAt)}`,
  );
}

/** A fact that was found: a link to the first message that says it, where that is still there. */
export function factResult(
  fact: MemoryFact,
  places: ReadonlyMap<string, string>,
  wanted: readonly string[],
): HTMLElement {
  const messageId = messageIdsOf(fact).find((id) => places.has(id));
  const sessionId = messageId === undefined ? undefined : places.get(messageId);
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
