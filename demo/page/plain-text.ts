import { h } from './element.ts';
import { number } from './format.ts';

/** Longer texts are cut when they are shown, because the browser lays out each character. */
const MAX_CHARACTERS = 100_000;

/** Shows a text as it is, or its beginning with a note if it is very long. */
export function plainText(text: string): DocumentFragment {
  const fragment = document.createDocumentFragment();
  fragment.append(h('p', { class: 'plain-text' }, text.slice(0, MAX_CHARACTERS)));
  if (text.length > MAX_CHARACTERS)
    fragment.append(
      h(
        'p',
        { class: 'state-note' },
        `${number(text.length - MAX_CHARACTERS)} more characters are not shown.`,
      ),
    );
  return fragment;
}
