import type { KnownThings } from '../memory/known-things.ts';
import { h } from '../page/element.ts';
import { keepFocus } from '../page/keep-focus.ts';
import { updateKeyedList } from '../page/keyed-list.ts';
import { factItem, type FactActions } from './fact-item.ts';

export interface FactList {
  readonly element: HTMLElement;
  show(known: KnownThings): void;
  /** Whether past facts are shown, too. */
  withHistory(): boolean;
}

export interface FactListActions extends FactActions {
  onHistory(): void;
}

/** All current facts, pinned ones first, then the newest. Past facts are shown on request. */
export function factList(actions: FactListActions): FactList {
  const toggle = h('input', { type: 'checkbox', on: { change: () => actions.onHistory() } });
  const empty = h(
    'p',
    { class: 'hint' },
    'No facts yet. Write something about yourself, such as “My dog is called Max.”',
  );
  const list = h('ul', { class: 'known-list', 'aria-label': 'Facts', tabindex: -1 });
  const element = h(
    'div',
    { class: 'panel-section' },
    h('label', { class: 'check' }, toggle, 'Show past facts'),
    empty,
    list,
  );
  return {
    element,
    show(known) {
      const current = new Set(known.facts.map(({ id }) => id));
      const facts = known.history ?? known.facts;
      empty.hidden = facts.length > 0;
      const items = facts.map((fact) => {
        const isCurrent = current.has(fact.id);
        const sessionIds = fact.sources.map(({ messageId }) => known.sessionOf.get(messageId) ?? '');
        return {
          key: fact.id,
          version: JSON.stringify([fact, isCurrent, sessionIds]),
          make: () => factItem(fact, isCurrent, known.sessionOf, actions),
        };
      });
      keepFocus(list, () => updateKeyedList(list, items));
    },
    withHistory: () => toggle.checked,
  };
}
