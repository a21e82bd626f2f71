import type { SessionInfo } from '../../src/index.ts';
import { h } from '../page/element.ts';
import { count, shortTime } from '../page/format.ts';
import { icon } from '../page/icon.ts';
import { routeToHash } from '../page/route.ts';

export interface SessionList {
  readonly element: HTMLElement;
  show(sessions: readonly SessionInfo[], currentId: string): void;
}

/** The list of conversations, newest first. */
export function sessionList(forget: (session: SessionInfo) => void): SessionList {
  const element = h('ul', { class: 'sessions' });
  return {
    element,
    show(sessions, currentId) {
      if (sessions.length === 0) {
        element.replaceChildren(h('li', { class: 'hint' }, 'No conversations yet.'));
        return;
      }
      element.replaceChildren(...sessions.map((session) => item(session, session.id === currentId, forget)));
    },
  };
}

function item(session: SessionInfo, isCurrent: boolean, forget: (session: SessionInfo) => void): HTMLElement {
  const title = session.title || 'Untitled conversation';
  return h(
    'li',
    { class: isCurrent ? 'session is-current' : 'session' },
    h(
      'a',
      { href: routeToHash({ sessionId: session.id }), 'aria-current': isCurrent ? 'page' : undefined },
      h('span', { class: 'session-title' }, title),
      h(
        'span',
        { class: 'session-meta' },
        `${shortTime(session.updatedAt)} · ${count(session.messageCount, 'message')}`,
      ),
    ),
    h(
      'button',
      {
        type: 'button',
        class: 'icon-button icon-button-small',
        'aria-label': `Forget the conversation “${title}”`,
        title: 'Forget this conversation',
        on: { click: () => forget(session) },
      },
      icon('trash'),
    ),
  );
}
