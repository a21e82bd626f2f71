import type { ContextNote, ContextReference } from './context-log.ts';
import { h } from './element.ts';
import { count, longTime, number } from './format.ts';
import { icon } from './icon.ts';
import { routeToHash } from './route.ts';
import type { Sources } from './source-lookup.ts';
import { messageText } from './turns.ts';

/** What the model was given beside the question: which old turns, why these, and how much of the budget it took. */
export function contextView(note: ContextNote, sources: Sources, currentId: string): HTMLElement {
  const recalled = note.items.filter(({ kind }) => kind === 'recalled');
  const recent = note.items.filter(({ kind }) => kind === 'recent');
  const title = recalled.length === 0 ? 'Nothing recalled' : `${count(recalled.length, 'turn')} recalled`;
  return h(
    'details',
    { class: 'context' },
    h(
      'summary',
      {},
      icon('memory'),
      h('span', {}, title),
      h('span', { class: 'context-tokens' }, `${number(note.tokens)} of ${number(note.maxTokens)} tokens`),
    ),
    h(
      'div',
      { class: 'context-body' },
      h('meter', {
        'aria-label': 'Share of the token budget',
        min: 0,
        max: note.maxTokens,
        value: Math.min(note.tokens, note.maxTokens),
      }),
      note.overBudget
        ? h(
            'p',
            { class: 'state-note' },
            'The question alone is larger than the budget, so nothing else was sent with it.',
          )
        : undefined,
      recalled.length === 0
        ? undefined
        : h(
            'ol',
            { class: 'recalled' },
            ...recalled.toSorted(byScore).map((item) => recalledItem(item, sources, currentId)),
          ),
      h('p', { class: 'hint' }, recentLine(recent)),
    ),
  );
}

/** Changes when the view of this context would. */
export function contextVersion(note: ContextNote, sources: Sources): string {
  const present = note.items.flatMap((item) => item.sources.filter((id) => sources.messages.has(id)));
  return `${note.tokens}:${note.items.length}:${present.join()}`;
}

function recalledItem(item: ContextReference, { messages, titles }: Sources, currentId: string): HTMLElement {
  const present = item.sources.flatMap((id) => messages.get(id) ?? []);
  const [first] = present;
  const title = titles.get(item.sessionId);
  const where = item.sessionId === currentId ? 'this conversation' : title && `“${title}”`;
  return h(
    'li',
    { class: 'recalled-item' },
    h('p', { class: 'recalled-meta' }, longTime(item.createdAt), where ? ` · ${where}` : ''),
    ...(first === undefined
      ? [h('p', { class: 'recalled-gone' }, 'Forgotten since.')]
      : present.map((message) =>
          h(
            'p',
            { class: 'recalled-text' },
            h('span', { class: 'speaker' }, message.role === 'user' ? 'You' : 'Answer'),
            ' ',
            shorten(messageText(message)),
          ),
        )),
    h(
      'p',
      { class: 'recalled-why' },
      ...Object.entries(item.why).flatMap(([part, value]) => [reason(part, value), ' ']),
      h('span', { class: 'tag' }, `${number(item.tokens)} tokens`),
      ' ',
      first &&
        h('a', { href: routeToHash({ sessionId: first.sessionId, messageId: first.id }) }, 'Go to this turn'),
    ),
  );
}

/** The parts that the memory's score is the sum of, in words. */
const PART_LABELS: Readonly<Record<string, string>> = { keyword: 'words', vector: 'meaning' };

function reason(part: string, value: number): HTMLElement {
  const label = PART_LABELS[part] ?? part;
  return h(
    'span',
    { class: 'tag', title: `How much the ${label} of it matched` },
    `${label} ${value.toFixed(2)}`,
  );
}

function recentLine(recent: readonly ContextReference[]): string {
  if (recent.length === 0) return 'No earlier turn of this conversation went with it.';
  const tokens = recent.reduce((sum, item) => sum + item.tokens, 0);
  const turns = recent.length === 1 ? 'The last turn' : `The last ${recent.length} turns`;
  return `${turns} of this conversation went with it as ${recent.length === 1 ? 'it stands' : 'they stand'}: ${number(tokens)} tokens.`;
}

function byScore(a: ContextReference, b: ContextReference): number {
  return b.score - a.score;
}

function shorten(text: string): string {
  return text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text;
}

const MAX_CHARACTERS = 320;
