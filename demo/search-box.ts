import { h } from './element.ts';
import { shortTime } from './format.ts';
import { icon } from './icon.ts';
import type { SearchResult } from '../src/index.ts';
import { routeToHash } from './route.ts';
import { messageText } from './turns.ts';

export interface SearchBoxActions {
  search(query: string): Promise<readonly SearchResult[]>;
  onError(error: unknown): void;
  /** Gets `true` while results take the place of the list of conversations. */
  onActive(isActive: boolean): void;
}

/** Searches all conversations while one types. Each result is a link to its message. */
export function searchBox(actions: SearchBoxActions): HTMLElement {
  const input = h('input', {
    type: 'search',
    placeholder: 'Search the memory',
    'aria-label': 'Search the memory',
    autocomplete: 'off',
  });
  const results = h('ol', { class: 'results', hidden: true, 'aria-label': 'Search results' });
  const status = h('p', { class: 'hint search-status', role: 'status' });
  let timer: ReturnType<typeof setTimeout> | undefined;
  let newest = 0;

  async function run(): Promise<void> {
    const query = input.value.trim();
    const order = ++newest;
    if (query === '') {
      results.hidden = true;
      results.replaceChildren();
      status.textContent = '';
      actions.onActive(false);
      return;
    }
    try {
      const hits = await actions.search(query);
      if (order !== newest) return;
      results.replaceChildren(...hits.map(resultItem));
      results.hidden = hits.length === 0;
      status.textContent = hits.length === 0 ? 'Nothing in the memory matches.' : '';
      actions.onActive(true);
    } catch (error) {
      actions.onError(error);
    }
  }

  input.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(() => void run(), TYPING_PAUSE_MS);
  });
  input.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || input.value === '') return;
    event.preventDefault();
    input.value = '';
    void run();
  });
  return h(
    'search',
    { class: 'search' },
    h('div', { class: 'search-field' }, icon('search'), input),
    status,
    results,
  );
}

const TYPING_PAUSE_MS = 150;

function resultItem(message: SearchResult): HTMLElement {
  return h(
    'li',
    {},
    h(
      'a',
      { class: 'result', href: routeToHash({ sessionId: message.sessionId, messageId: message.id }) },
      h('span', { class: 'result-text' }, messageText(message)),
      h(
        'span',
        { class: 'result-meta' },
        message.role === 'user' ? 'You' : 'Answer',
        ' · ',
        shortTime(message.createdAt),
      ),
    ),
  );
}
