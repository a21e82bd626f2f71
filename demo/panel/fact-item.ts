import type { FactChange, MemoryFact } from '../../src/index.ts';
import { sentenceTo } from '../memory/fact-sentence.ts';
import { messageIdsOf } from '../memory/known-things.ts';
import { h } from '../page/element.ts';
import { longTime, shortTime } from '../page/format.ts';
import { icon, type IconName } from '../page/icon.ts';
import { routeToHash } from '../page/route.ts';
import { factForm } from './fact-form.ts';

export interface FactActions {
  correct(fact: MemoryFact, change: FactChange): Promise<void>;
  setPinned(fact: MemoryFact, isPinned: boolean): void;
  forgetFact(fact: MemoryFact): void;
}

/** One fact: its sentence, period, origin and sources, with buttons to correct, pin and forget it. */
export function factItem(
  fact: MemoryFact,
  isCurrent: boolean,
  sessionOf: ReadonlyMap<string, string>,
  actions: FactActions,
): HTMLElement {
  const name = sentenceTo(fact);
  const view = h('div', { class: 'known-view' });
  const item = h('li', { class: isCurrent ? 'known-item' : 'known-item is-past', 'data-key': fact.id }, view);
  const edit = action('edit', 'pencil', `Correct “${name}”`, openForm);
  const pin = action('pin', 'pin', `Pin “${name}”: send it with every question`, () =>
    actions.setPinned(fact, !fact.isPinned),
  );
  pin.ariaPressed = String(fact.isPinned);
  const buttons = [
    ...(isCurrent ? [edit, pin] : []),
    action('forget', 'trash', `Forget “${name}”`, () => actions.forgetFact(fact)),
  ];
  view.append(
    h('p', { class: 'fact-text' }, name),
    h('div', { class: 'known-buttons' }, ...buttons),
    h(
      'div',
      { class: 'known-foot' },
      h('p', { class: 'known-meta' }, ...factMeta(fact)),
      ...sourceLinks(fact, sessionOf),
    ),
  );

  function openForm(): void {
    const form = factForm(fact, {
      save: (change) => actions.correct(fact, change),
      close() {
        form.replaceWith(view);
        edit.focus();
      },
    });
    view.replaceWith(form);
    form.querySelector('input')?.focus();
    form.scrollIntoView({ block: 'nearest' }); // the whole form, including its buttons
  }

  return item;
}

/** Links to the messages that state a fact. */
export function sourceLinks(fact: MemoryFact, sessionOf: ReadonlyMap<string, string>): HTMLElement[] {
  return messageIdsOf(fact).flatMap((messageId, index, all) => {
    const sessionId = sessionOf.get(messageId);
    if (sessionId === undefined) return [];
    const quote = fact.sources.find((source) => source.messageId === messageId)?.quote;
    const label = all.length === 1 ? 'Source' : `Source ${index + 1}`;
    return [
      h(
        'a',
        {
          class: 'source-link',
          href: routeToHash({ sessionId, messageId }),
          'aria-label': `${label} of “${sentenceTo(fact)}”`,
          title: quote,
          'data-action': `source-${index}`,
        },
        icon('source'),
        label,
      ),
    ];
  });
}

function factMeta(fact: MemoryFact): (HTMLElement | string)[] {
  const parts: (HTMLElement | string)[] = [period(fact), ` · ${saidBy(fact)}`];
  if (fact.retractedAt !== undefined) parts.push(` · retracted ${longTime(fact.retractedAt)}`);
  return fact.isPinned ? [h('span', { class: 'tag tag-on' }, 'Pinned'), ' ', ...parts] : parts;
}

function period({ validFrom, validTo }: MemoryFact): HTMLElement | string {
  const since = h(
    'time',
    { datetime: new Date(validFrom).toISOString(), title: longTime(validFrom) },
    shortTime(validFrom),
  );
  if (validTo === undefined) return h('span', {}, 'since ', since);
  if (validTo === validFrom) return h('span', {}, 'was never true · noted for ', since);
  return h('span', {}, 'true from ', since, ` until ${longTime(validTo)}`);
}

function saidBy({ source, speaker }: MemoryFact): string {
  if (source === 'user') return 'corrected by you';
  switch (speaker) {
    case 'user':
      return 'said by you';
    case 'assistant':
      return 'from an answer';
    case 'tool':
      return 'from a tool';
    case 'document':
      return 'from text that you pasted';
    case 'import':
      return 'from an import';
    case 'model':
      return 'read by the model';
  }
}

function action(name: string, image: IconName, label: string, run: () => void): HTMLButtonElement {
  return h(
    'button',
    {
      type: 'button',
      class: 'icon-button icon-button-small',
      'data-action': name,
      'aria-label': label,
      title: label,
      on: { click: run },
    },
    icon(image),
  );
}
