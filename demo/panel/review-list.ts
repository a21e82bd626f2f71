import type { ReviewItem } from '../../src/index.ts';
import { sentenceTo } from '../memory/fact-sentence.ts';
import type { KnownThings } from '../memory/known-things.ts';
import { h } from '../page/element.ts';
import { longTime, shortTime } from '../page/format.ts';
import { keepFocus } from '../page/keep-focus.ts';
import { updateKeyedList } from '../page/keyed-list.ts';

export interface ReviewList {
  readonly element: HTMLElement;
  show(known: KnownThings): void;
}

export interface ReviewActions {
  accept(item: ReviewItem): void;
  reject(item: ReviewItem): void;
}

/** Claims of others about the user, with buttons to confirm or reject them. */
export function reviewList(actions: ReviewActions): ReviewList {
  const empty = h('p', { class: 'hint' }, 'There is nothing to confirm.');
  const list = h('ul', { class: 'known-list', 'aria-label': 'Things to confirm', tabindex: -1 });
  return {
    element: h('div', { class: 'panel-section' }, empty, list),
    show({ review }) {
      empty.hidden = review.length > 0;
      const items = review.map((item) => ({
        key: item.id,
        version: JSON.stringify(item),
        make: () => reviewItem(item, actions),
      }));
      keepFocus(list, () => updateKeyedList(list, items));
    },
  };
}

const SAID_BY = {
  assistant: 'An assistant said so',
  tool: 'A tool said so',
  document: 'A text that you pasted said so',
  import: 'An imported file said so',
  model: 'The model read it so',
} as const;

function reviewItem(item: ReviewItem, { accept, reject }: ReviewActions): HTMLElement {
  const name = item.fact.predicate === 'says' ? `“${item.text}”` : sentenceTo(item.fact);
  const time = item.fact.recordedAt;
  return h(
    'li',
    { class: 'known-item', 'data-key': item.id },
    h('p', { class: 'fact-text' }, name),
    h(
      'p',
      { class: 'known-meta' },
      `${SAID_BY[item.speaker]}, `,
      h('time', { datetime: new Date(time).toISOString(), title: longTime(time) }, shortTime(time)),
    ),
    h(
      'div',
      { class: 'known-actions' },
      button('That is right', `That is right: “${name}”`, () => accept(item)),
      button('That is wrong', `That is wrong: “${name}”`, () => reject(item)),
    ),
  );
}

function button(text: string, label: string, onClick: () => void): HTMLButtonElement {
  return h(
    'button',
    { type: 'button', class: 'button button-small', 'aria-label': label, on: { click: onClick } },
    text,
  );
}
