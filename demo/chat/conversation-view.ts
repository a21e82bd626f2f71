import type { Turn } from '../memory/turns.ts';
import { h } from '../page/element.ts';
import { type KeyedItem, updateKeyedList } from '../page/keyed-list.ts';
import { emptyState } from './empty-state.ts';
import { type StreamingView, streamingView } from './streaming-view.ts';
import { type TurnActions, turnView } from './turn-view.ts';

export interface ConversationActions extends TurnActions {
  useExample(text: string): void;
  /** The recalled context of a turn, or undefined if it is no longer known. */
  contextOf(turn: Turn): { version: string; make: () => HTMLElement } | undefined;
}

export interface ConversationView {
  readonly element: HTMLElement;
  /** Shows a conversation, with the running answer at its end. `isOther` says that another one was shown before. */
  show(turns: readonly Turn[], running: StreamingView | undefined, isOther: boolean): void;
  /** Starts to show a running answer. */
  begin(input: string): StreamingView;
  /** Scrolls to a message and highlights it. Returns false if the conversation does not contain it. */
  reveal(messageId: string): boolean;
}

/** The turns of one conversation below a note, newest at the bottom. New content scrolls into view unless the user has scrolled up. */
export function conversationView(note: HTMLElement, actions: ConversationActions): ConversationView {
  const log = h('div', { class: 'turns', role: 'log', 'aria-label': 'Conversation', 'aria-live': 'polite' });
  const earlier = h(
    'button',
    { type: 'button', class: 'button button-small earlier', hidden: true },
    'Show earlier messages',
  );
  const element = h(
    'div',
    { class: 'conversation', tabindex: 0, role: 'region', 'aria-label': 'Messages' },
    note,
    earlier,
    log,
  );
  let turns: readonly Turn[] = [];
  let running: StreamingView | undefined;
  let shown = PAGE;
  /** Whether the view follows the end of the conversation. */
  let isFollowing = true;

  function draw(): void {
    const visible = turns.slice(-shown);
    earlier.hidden = visible.length === turns.length;
    const items = visible.map((turn) => turnItem(turn, actions));
    if (running) {
      const { element: streaming } = running;
      items.push({ key: 'running', version: '', make: () => streaming });
    }
    if (items.length === 0)
      items.push({ key: 'empty', version: '', make: () => emptyState((text) => actions.useExample(text)) });
    updateKeyedList(log, items);
  }

  function toEnd(): void {
    element.scrollTop = element.scrollHeight;
    isFollowing = true;
  }

  function follow(): void {
    if (isFollowing) toEnd();
  }

  // Only the user's scrolling changes this: a growing answer also moves the end out of view.
  element.addEventListener('scroll', () => {
    isFollowing = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR_END_PX;
  });
  // The height changes when the panel opens or an on-screen keyboard appears.
  new ResizeObserver(follow).observe(element);

  earlier.addEventListener('click', () => {
    const fromEnd = element.scrollHeight - element.scrollTop;
    shown += PAGE;
    draw();
    element.scrollTop = element.scrollHeight - fromEnd;
  });

  return {
    element,
    show(next, answer, isOther) {
      const toFollow = isOther || isFollowing;
      const { scrollTop } = element;
      turns = next;
      running = answer;
      if (isOther) shown = PAGE;
      draw();
      if (toFollow) toEnd();
      else element.scrollTop = scrollTop;
    },
    begin(input) {
      const view = streamingView(input, follow);
      running = view;
      draw();
      toEnd();
      return view;
    },
    reveal(messageId) {
      const index = turns.findIndex((turn) => turn.messages.some(({ id }) => id === messageId));
      if (index === -1) return false;
      if (turns.length - index > shown) {
        shown = turns.length - index;
        draw();
      }
      const message = document.getElementById(`message-${messageId}`);
      for (const marked of log.querySelectorAll('.is-revealed')) marked.classList.remove('is-revealed');
      message?.classList.add('is-revealed');
      message?.scrollIntoView({ block: 'center' });
      isFollowing = false;
      message?.focus({ preventScroll: true });
      return message !== null;
    },
  };
}

/** Number of turns shown at first, and added by each "Show earlier messages". */
const PAGE = 60;
const NEAR_END_PX = 32;

function turnItem(turn: Turn, actions: ConversationActions): KeyedItem {
  const context = actions.contextOf(turn);
  const messages = turn.messages.map(({ id, state }) => `${id}:${state}`).join();
  return {
    key: turn.id,
    version: `${messages} ${context?.version ?? ''}`,
    make: () => turnView(turn, actions, context?.make),
  };
}
