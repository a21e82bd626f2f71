import type { Memory } from '../../src/index.ts';
import { h } from '../page/element.ts';
import { jobList } from './job-list.ts';

export interface BackgroundWork {
  readonly element: HTMLElement;
  /** Starts or stops updating. */
  setShown(isShown: boolean): void;
  /** Shows a warning about background work; undefined removes it. */
  setWarning(message: string | undefined): void;
  close(): void;
}

/** The part of the settings that lists background work. `guard` shows errors to the user. */
export function backgroundWork(memory: Memory, guard: (work: Promise<unknown>) => void): BackgroundWork {
  const list = jobList((job) => guard(memory.work.retry(job.id)));
  let isShown = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function refresh(): Promise<void> {
    if (!isShown) return;
    const [jobs, sessions] = await Promise.all([memory.work.list(), memory.sessions()]);
    if (!isShown) return;
    list.show({ jobs, titles: new Map(sessions.map(({ id, title }) => [id, title])) });
    list.element.hidden = false;
    clearTimeout(timer);
    // Polls, because the work of another tab ends without an event here.
    if (jobs.length > 0) timer = setTimeout(() => guard(refresh()), WORK_POLL_MS);
  }

  function setShown(next: boolean): void {
    // What the list showed before may no longer be true.
    list.element.hidden ||= next && !isShown;
    isShown = next;
    clearTimeout(timer);
    guard(refresh());
  }

  memory.addEventListener('job', () => guard(refresh()));
  return {
    element: h(
      'section',
      { class: 'background-work', 'aria-labelledby': 'background-work-title' },
      h('h3', { id: 'background-work-title' }, 'Background work'),
      list.element,
    ),
    setShown,
    setWarning: (message) => list.setWarning(message),
    close: () => setShown(false),
  };
}

const WORK_POLL_MS = 2000;
