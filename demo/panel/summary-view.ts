import type { SummaryInView } from '../memory/known-things.ts';
import { h } from '../page/element.ts';
import { count, longTime, number } from '../page/format.ts';

export interface SummaryView {
  readonly element: HTMLElement;
  show(summary: SummaryInView | undefined): void;
}

/** What the beginning of the conversation in view was summarised to, and how far that goes. */
export function summaryView(): SummaryView {
  const element = h('div', { class: 'panel-section' });
  return {
    element,
    show(summary) {
      if (!summary) {
        element.replaceChildren(
          h(
            'p',
            { class: 'hint' },
            'Nothing of this conversation is summarised yet: its newest turns are sent as they stand, and what leaves them is summarised.',
          ),
        );
        return;
      }
      const { text, coveredMessages, allMessages, updatedAt } = summary;
      element.replaceChildren(
        h('p', { class: 'summary-text' }, text),
        h(
          'p',
          { class: 'known-meta summary-cover' },
          `Covers the first ${number(coveredMessages)} of ${count(allMessages, 'message')} · ${longTime(updatedAt)}`,
        ),
      );
    },
  };
}
