import type { Memory, ForgetReceipt } from '../../src/index.ts';
import type { Forgetting } from '../memory/forgetting.ts';
import { KnownThingsReader } from '../memory/known-things.ts';
import { h } from '../page/element.ts';
import { icon } from '../page/icon.ts';
import { tabs } from '../page/tabs.ts';
import type { Toasts } from '../page/toast.ts';
import { backupBar } from './backup-bar.ts';
import { entityList } from './entity-list.ts';
import { factList } from './fact-list.ts';
import { graphView } from './graph-view.ts';
import { reviewList } from './review-list.ts';
import { summaryView } from './summary-view.ts';

export interface MemoryPanelParts {
  memory: Memory;
  forgetting: Forgetting;
  notices: Toasts;
  /** Name of the model that extracts facts; undefined if rules do. */
  modelName: string | undefined;
  /** Id of the conversation that is shown. */
  sessionId(): string;
  onForgotten(receipt: ForgetReceipt | undefined): void;
  forgetEverything(): void;
  onToggle(isOpen: boolean): void;
  /** Opens the settings, which list failed background work. */
  openSettings(): void;
}

export interface MemoryPanel {
  readonly element: HTMLElement;
  /** The button that opens and closes it. */
  readonly toggle: HTMLElement;
  open(): void;
  isOpen(): boolean;
  /** Closes the panel if it covers the conversation. */
  stepAside(): void;
  /** Updates the panel if it is open. */
  refresh(): Promise<void>;
  close(): void;
}

/** The panel that shows what the memory has learned, and lets the user confirm, correct, pin and forget it. */
export function memoryPanel(parts: MemoryPanelParts): MemoryPanel {
  const { memory, forgetting, notices } = parts;
  const reader = new KnownThingsReader(memory);
  let isOpen = false;
  let isClosed = false;
  let refreshing: Promise<void> | undefined;
  let isStale = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const onError = (error: unknown): void => {
    if (!isClosed) notices.showError(error);
  };
  const guard = (work: Promise<unknown>): void => void work.catch(onError);

  const facts = factList({
    correct: (fact, change) => memory.facts.correct(fact.id, change).then(() => undefined, onError),
    setPinned: (fact, isPinned) => guard(isPinned ? memory.facts.pin(fact.id) : memory.facts.unpin(fact.id)),
    forgetFact: (fact) => guard(forgetting.fact(fact).then(forgotten)),
    onHistory: () => guard(refresh()),
  });
  const review = reviewList({
    accept: (item) => guard(memory.review.accept(item.id)),
    reject: (item) => guard(memory.review.reject(item.id)),
  });
  const entities = entityList((entity) => guard(forgetting.entity(entity).then(forgotten)));
  const summary = summaryView();
  const graph = graphView(memory, onError);
  const sections = tabs('What I know about you', [
    { id: 'facts', label: 'Facts', content: facts.element },
    { id: 'review', label: 'Things to confirm', content: review.element },
    { id: 'entities', label: 'People and things', content: entities.element },
    { id: 'summary', label: 'Summary', content: summary.element },
    { id: 'graph', label: 'Graph', content: graph.element, onShow: (isShown) => graph.setShown(isShown) },
  ]);
  const close = h(
    'button',
    { type: 'button', class: 'icon-button', 'aria-label': 'Close the memory panel', on: { click: hide } },
    icon('close'),
  );
  const toggle = h(
    'button',
    {
      type: 'button',
      class: 'button panel-toggle',
      'aria-expanded': 'false',
      'aria-controls': 'memory-panel',
      on: { click: () => (isOpen ? hide() : open()) },
    },
    icon('memory'),
    h('span', {}, 'Memory'),
  );
  const failed = h(
    'p',
    { class: 'state-note', hidden: true },
    'Some of what you wrote could not be processed. ',
    h(
      'button',
      { type: 'button', class: 'link-button', on: { click: () => parts.openSettings() } },
      'See why',
    ),
  );
  const element = h(
    'aside',
    { class: 'memory-panel', id: 'memory-panel', 'aria-label': 'What I know about you', hidden: true },
    h('header', { class: 'panel-header' }, h('h2', { class: 'panel-title' }, 'What I know about you'), close),
    h(
      'p',
      { class: 'hint panel-note' },
      parts.modelName === undefined
        ? 'Facts are found by rules, in this browser, unless a model is connected.'
        : `Facts are found by ${parts.modelName}, the model that you connected.`,
    ),
    failed,
    sections.element,
    backupBar(memory, parts.forgetEverything),
  );

  function setOpen(next: boolean): void {
    isOpen = next;
    element.hidden = !next;
    toggle.ariaExpanded = String(next);
    graph.setShown(next && sections.selected() === 'graph');
    parts.onToggle(next);
  }
  function open(): void {
    setOpen(true);
    close.focus();
    guard(refresh());
  }
  function hide(): void {
    setOpen(false);
    toggle.focus();
  }
  function forgotten(receipt: ForgetReceipt | undefined): void {
    parts.onForgotten(receipt);
  }

  /** Calls during a refresh share one further refresh. */
  function refresh(): Promise<void> {
    if (!isOpen || isClosed) return Promise.resolve();
    isStale = true;
    refreshing ??= (async () => {
      try {
        while (isStale) {
          isStale = false;
          await draw();
        }
      } finally {
        refreshing = undefined;
      }
    })();
    return refreshing;
  }

  async function draw(): Promise<void> {
    const known = await reader.read(parts.sessionId(), facts.withHistory());
    if (isClosed) return;
    facts.show(known);
    review.show(known);
    entities.show(known);
    summary.show(known.summary);
    failed.hidden = known.jobs.every(({ state }) => state !== 'dead' && state !== 'paused');
    sections.setCount('facts', known.facts.length);
    sections.setCount('review', known.review.length);
    sections.setCount('entities', known.entities.length);
    watchWork(known.jobs.length > 0);
    await graph.show(known);
  }

  /** Polls while there is work, because the work of another tab ends without an event here. */
  function watchWork(isAny: boolean): void {
    clearTimeout(timer);
    if (isAny) timer = setTimeout(() => guard(refresh()), WORK_POLL_MS);
  }

  element.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && !event.defaultPrevented) hide();
  });
  memory.addEventListener('job', () => guard(refresh()));

  return {
    element,
    toggle,
    open,
    isOpen: () => isOpen,
    stepAside() {
      if (isOpen && getComputedStyle(element).position === 'fixed') setOpen(false);
    },
    refresh,
    close() {
      isClosed = true;
      clearTimeout(timer);
      graph.close();
    },
  };
}

const WORK_POLL_MS = 2000;
