import type { MemoryJob } from '../../src/index.ts';
import type { KnownThings } from '../memory/known-things.ts';
import { h } from '../page/element.ts';
import { count, longTime } from '../page/format.ts';
import { icon } from '../page/icon.ts';
import { keepFocus } from '../page/keep-focus.ts';
import { updateKeyedList } from '../page/keyed-list.ts';

const KINDS: Readonly<Record<MemoryJob['kind'], string>> = {
  learn: 'Learn facts',
  summarize: 'Summarize',
  rebuild: 'Rebuild',
  other: 'Other work',
};
const STATES: Readonly<Record<MemoryJob['state'], string>> = {
  waiting: 'waiting',
  running: 'in progress',
  paused: 'paused: the model refused it',
  dead: 'gave up',
};

export interface JobList {
  readonly element: HTMLElement;
  show(known: Pick<KnownThings, 'jobs' | 'titles'>): void;
  /** Shows a warning about background work; undefined removes it. */
  setWarning(message: string | undefined): void;
}

/** Lists background jobs: running, waiting, paused, and those that the memory gave up. */
export function jobList(retry: (job: MemoryJob) => void): JobList {
  const empty = h('p', { class: 'hint' }, 'No work is in progress.');
  const warning = h('p', { class: 'state-note', hidden: true });
  const list = h('ul', { class: 'known-list', 'aria-label': 'Background work', tabindex: -1 });
  return {
    element: h('div', { class: 'panel-section' }, empty, list, warning),
    show({ jobs, titles }) {
      empty.hidden = jobs.length > 0;
      const items = jobs.map((job) => {
        const title = titles.get(job.sessionId);
        return {
          key: String(job.id),
          version: JSON.stringify([job, title]),
          make: () => jobItem(job, title, retry),
        };
      });
      keepFocus(list, () => updateKeyedList(list, items));
    },
    setWarning(message) {
      warning.textContent = message ?? '';
      warning.hidden = message === undefined;
    },
  };
}

function jobItem(job: MemoryJob, title: string | undefined, retry: (job: MemoryJob) => void): HTMLElement {
  const turns = job.turnIds.length > 0 ? ` from ${count(job.turnIds.length, 'turn')}` : '';
  const attempts = job.attempts > 0 ? ` · ${count(job.attempts, 'attempt')}` : '';
  const isPaused = job.state === 'waiting' && job.notBefore > Date.now();
  return h(
    'li',
    { class: 'known-item', 'data-key': String(job.id) },
    h(
      'p',
      { class: 'job-title' },
      `${KINDS[job.kind]}${turns} `,
      h('span', { class: job.state === 'dead' ? 'tag tag-bad' : 'tag' }, STATES[job.state]),
    ),
    h(
      'p',
      { class: 'known-meta' },
      `queued ${longTime(job.createdAt)}${attempts}${isPaused ? ` · not before ${longTime(job.notBefore)}` : ''}${title ? ` · “${title}”` : ''}`,
    ),
    job.error === undefined
      ? undefined
      : h('p', { class: 'state-note state-note-bad' }, `${job.error.code}: ${job.error.message}`),
    job.state === 'dead'
      ? h(
          'div',
          { class: 'known-actions' },
          h(
            'button',
            {
              type: 'button',
              class: 'button button-small',
              'data-action': 'retry',
              on: { click: () => retry(job) },
            },
            icon('retry'),
            'Try again',
          ),
        )
      : undefined,
  );
}
