import type { MemoryEntity } from '../../src/index.ts';
import { nameTo, noteTo } from '../memory/fact-sentence.ts';
import type { KnownThings } from '../memory/known-things.ts';
import { h } from '../page/element.ts';
import { icon } from '../page/icon.ts';
import { keepFocus } from '../page/keep-focus.ts';
import { updateKeyedList } from '../page/keyed-list.ts';
import { routeToHash } from '../page/route.ts';

export interface EntityList {
  readonly element: HTMLElement;
  show(known: KnownThings): void;
}

/** The people, places and things that the memory knows. */
export function entityList(forget: (entity: MemoryEntity) => void): EntityList {
  const empty = h('p', { class: 'hint' }, 'No people or things are known by name yet.');
  const list = h('ul', { class: 'known-list', 'aria-label': 'People and things', tabindex: -1 });
  return {
    element: h('div', { class: 'panel-section' }, empty, list),
    show({ entities, sessionOf }) {
      empty.hidden = entities.length > 0;
      const items = entities.map((entity) => ({
        key: entity.name,
        version: JSON.stringify(entity),
        make: () => entityItem(entity, sessionOf, forget),
      }));
      keepFocus(list, () => updateKeyedList(list, items));
    },
  };
}

function entityItem(
  entity: MemoryEntity,
  sessionOf: ReadonlyMap<string, string>,
  forget: (entity: MemoryEntity) => void,
): HTMLElement {
  const name = nameTo(entity.name);
  const label = `Forget “${name}”`;
  const [first] = entity.sources;
  const sessionId = first === undefined ? undefined : sessionOf.get(first);
  return h(
    'li',
    { class: 'known-item', 'data-key': entity.name },
    h('h3', { class: 'entity-name' }, name),
    entity.aliases.length > 0
      ? h('p', { class: 'known-meta' }, `also ${entity.aliases.join(', ')}`)
      : undefined,
    entity.summary === '' ? undefined : h('p', { class: 'entity-summary' }, noteTo(entity.summary)),
    h(
      'div',
      { class: 'known-actions' },
      first === undefined || sessionId === undefined
        ? undefined
        : h(
            'a',
            {
              class: 'source-link',
              href: routeToHash({ sessionId, messageId: first }),
              'aria-label': `First source of “${name}”`,
              'data-action': 'source',
            },
            icon('source'),
            'First source',
          ),
      h('span', { class: 'spacer' }),
      h(
        'button',
        {
          type: 'button',
          class: 'icon-button icon-button-small',
          'data-action': 'forget',
          'aria-label': label,
          title: label,
          on: { click: () => forget(entity) },
        },
        icon('trash'),
      ),
    ),
  );
}
