import { h } from './element.ts';
import { jobList } from './job-list.ts';
import type { ChatMemory } from '../src/index.ts';

export interface BackgroundWork {
  readonly element: HTMLElement;
  /** While it is in view it shows what is so now. */
  setShown(isShown: boolean): void;
  /** What a warning about background work has said; undefined takes it back. */
  setWarning(message: string | undefined): void;
  close(): void;
}

/** What the memory does in the background: a part of the settings. `guard` tells the person what fails. */
export function backgroundWork(memory: ChatMemory, guard: (work: Promise<unknown>) => void): BackgroundWork {
  const list = jobList((job) => guard(memory.retryJob(job.id)));
  let isShown = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function refresh(): Promise<void> {
    if (!isShown) return;
    const [jobs, sessions] = await Promise.all([memory.jobs(), memory.sessions()]);
    if (!isShown) return;
    list.show({ jobs, titles: new Map(sessions.map(({ id, title }) => [id, title])) });
    list.element.hidden = false;
    clearTimeout(timer);
    // Work that another tab does ends without an event here.
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
