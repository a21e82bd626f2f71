import { h } from '../page/element.ts';
import { icon } from '../page/icon.ts';
import { wordsOf } from './highlight.ts';
import type { Findings } from './search-memory.ts';
import { factResult, messageResult } from './search-result.ts';

export interface SearchBoxActions {
  search(query: string): Promise<Findings>;
  onError(error: unknown): void;
  /** Called with `true` when results replace the list of conversations, and with `false` when they are gone. */
  onActive(isActive: boolean): void;
}

/**
 * Searches facts and messages as the user types. Each result links to its message. The arrow keys move through the
 * results, and Enter in the box opens the first one.
 */
export function searchBox(actions: SearchBoxActions): HTMLElement {
  const input = h('input', {
    type: 'search',
    placeholder: 'Search the memory',
    'aria-label': 'Search the memory',
    autocomplete: 'off',
  });
  const facts = section('What I know');
  const messages = section('Messages');
  const similar = section('Similar in meaning');
  const results = h(
    'div',
    { class: 'results', hidden: true },
    facts.element,
    messages.element,
    similar.element,
  );
  const status = h('p', { class: 'hint search-status', role: 'status' });
  let timer: ReturnType<typeof setTimeout> | undefined;
  let newest = 0;
  /** Resolves once the current text has been searched for. */
  let searched: Promise<void> = Promise.resolve();

  async function run(): Promise<void> {
    const query = input.value.trim();
    const order = ++newest;
    if (query === '') {
      results.hidden = true;
      facts.show([]);
      messages.show([]);
      similar.show([]);
      status.textContent = '';
      actions.onActive(false);
      return;
    }
    try {
      const found = await actions.search(query);
      if (order !== newest) return;
      const wanted = wordsOf(query);
      facts.show(found.facts.map((fact) => factResult(fact, found.sessionOf, wanted)));
      messages.show(found.messages.map((message) => messageResult(message, wanted)));
      similar.show(found.similar.map((message) => messageResult(message, wanted)));
      results.hidden = links().length === 0;
      status.textContent = statusOf(found);
      actions.onActive(true);
    } catch (error) {
      actions.onError(error);
    }
  }

  function links(): HTMLElement[] {
    return [...results.querySelectorAll<HTMLElement>('.result')];
  }

  function searchNow(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    searched = run();
    return searched;
  }

  async function openFirst(): Promise<void> {
    await (timer === undefined ? searched : searchNow());
    links()[0]?.click();
  }

  /** Moves the focus between the box and the results. */
  function move(step: 1 | -1): void {
    const stops = [input, ...links()];
    const at = stops.findIndex((stop) => stop === document.activeElement);
    stops[at + step]?.focus();
  }

  input.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(() => void searchNow(), TYPING_PAUSE_MS);
  });
  const element = h(
    'search',
    { class: 'search' },
    h('div', { class: 'search-field' }, icon('search'), input),
    status,
    results,
  );
  element.addEventListener('keydown', (event) => {
    if (event.isComposing) return;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') move(event.key === 'ArrowDown' ? 1 : -1);
    else if (event.key === 'Enter' && event.target === input) void openFirst();
    else if (event.key === 'Escape' && input.value !== '') {
      input.value = '';
      input.focus();
      void searchNow();
    } else return;
    event.preventDefault();
  });
  return element;
}

function statusOf({ facts, messages, similar }: Findings): string {
  if (facts.length + messages.length > 0) return '';
  return similar.length > 0 ? 'Nothing found with these words.' : 'Nothing found.';
}

interface Section {
  readonly element: HTMLElement;
  show(items: readonly HTMLElement[]): void;
}

/** Results of one kind under a heading. Hidden while there are none. */
function section(heading: string): Section {
  const list = h('ol', { 'aria-label': heading });
  const element = h('section', { hidden: true }, h('h2', { class: 'sidebar-heading' }, heading), list);
  return {
    element,
    show(items) {
      list.replaceChildren(...items);
      element.hidden = items.length === 0;
    },
  };
}

const TYPING_PAUSE_MS = 150;
