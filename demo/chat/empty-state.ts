import { h } from '../page/element.ts';

/** What an empty conversation suggests to write, in this order. */
export const EXAMPLES = [
  'My daughter is allergic to peanuts, and we fly to Lisbon on the 3rd of May.',
  'Remember: the spare key is with our neighbor Amira.',
  'What do you know about our trip?',
] as const;

/** What an empty conversation shows: an introduction and examples. */
export function emptyState(useExample: (text: string) => void): HTMLElement {
  return h(
    'div',
    { class: 'empty' },
    h('h2', {}, 'A chat that remembers'),
    h(
      'p',
      {},
      'Everything you write is kept in this browser and found again by its words and by its meaning, in every later chat. Nothing is sent anywhere unless you connect a model.',
    ),
    h(
      'ul',
      { class: 'examples', 'aria-label': 'Examples' },
      ...EXAMPLES.map((text) =>
        h(
          'li',
          {},
          h('button', { type: 'button', class: 'example', on: { click: () => useExample(text) } }, text),
        ),
      ),
    ),
  );
}
