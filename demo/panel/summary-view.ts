import type { SummaryInView } from '../memory/known-things.ts';
import { h } from '../page/element.ts';
import { count, longTime, number } from '../page/format.ts';

export interface SummaryView {
  readonly element: HTMLElement;
  show(summary: SummaryInView | undefined): void;
}

/** The summary of the current conversation, and how many messages it covers. */
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
            'This conversation has no summary yet. Its newest turns are sent in full; older ones will be summarized.',
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
