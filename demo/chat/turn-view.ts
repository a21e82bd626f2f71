import type { StoredMessage } from '../../src/index.ts';
import { failureOf } from '../memory/answer-metadata.ts';
import { messageText, type Turn, turnInput } from '../memory/turns.ts';
import { h } from '../page/element.ts';
import { longTime, shortTime } from '../page/format.ts';
import { icon } from '../page/icon.ts';
import { renderMarkdown } from '../page/markdown.ts';
import { plainText } from '../page/plain-text.ts';
import { progressDots } from '../page/progress-dots.ts';

export interface TurnActions {
  forgetMessage(message: StoredMessage): void;
  forgetTurn(turn: Turn): void;
  /** Sends the question of an unanswered turn again. */
  retry(turn: Turn): void;
}

/**
 * One turn: the user's message, the answer, and the recalled context. A turn that cannot be drawn says so, and can be
 * forgotten like any other.
 */
export function turnView(
  turn: Turn,
  actions: TurnActions,
  makeContext: (() => HTMLElement) | undefined,
): HTMLElement {
  try {
    return article(
      turn,
      actions,
      [...turn.messages.map((message) => messageView(message, actions)), stateNote(turn, actions)],
      makeContext?.(),
    );
  } catch {
    return article(turn, actions, [h('p', { class: 'state-note' }, 'This turn cannot be shown.')]);
  }
}

function article(
  turn: Turn,
  actions: TurnActions,
  content: readonly (HTMLElement | undefined)[],
  context?: HTMLElement,
): HTMLElement {
  return h(
    'article',
    { class: `turn turn-${turn.state}`, 'aria-label': turnLabel(turn) },
    ...content,
    h(
      'footer',
      { class: 'turn-footer' },
      context,
      h(
        'button',
        {
          type: 'button',
          class: 'button button-quiet button-small forget-turn',
          on: { click: () => actions.forgetTurn(turn) },
        },
        icon('trash'),
        'Forget this turn',
      ),
    ),
  );
}

function messageView(message: StoredMessage, actions: TurnActions): HTMLElement | undefined {
  if (message.role === 'tool' || message.role === 'system') return undefined;
  if (message.role === 'assistant' && messageText(message) === '') return undefined;
  const isUser = message.role === 'user';
  const speaker = isUser ? 'You' : 'Answer';
  const body = h('div', { class: 'message-text' });
  body.append(isUser ? plainText(messageText(message)) : renderMarkdown(messageText(message)));
  return h(
    'section',
    { class: `message message-${message.role}`, id: `message-${message.id}`, tabindex: -1 },
    h(
      'header',
      { class: 'message-header' },
      h('span', { class: 'speaker' }, speaker),
      h(
        'time',
        { datetime: new Date(message.createdAt).toISOString(), title: longTime(message.createdAt) },
        shortTime(message.createdAt),
      ),
      h(
        'button',
        {
          type: 'button',
          class: 'icon-button icon-button-small forget-message',
          'aria-label': isUser ? 'Forget what you wrote here' : 'Forget this answer',
          title: isUser ? 'Forget what you wrote here' : 'Forget this answer',
          on: { click: () => actions.forgetMessage(message) },
        },
        icon('trash'),
      ),
    ),
    body,
  );
}

function stateNote(turn: Turn, actions: TurnActions): HTMLElement | undefined {
  switch (turn.state) {
    case 'cancelled':
      return h('p', { class: 'state-note' }, 'You stopped this answer. The model will not see this turn.');
    case 'pending':
      return h(
        'p',
        { class: 'state-note state-note-busy' },
        progressDots(),
        'Another tab is answering this message.',
      );
    case 'failed':
      return h(
        'p',
        { class: 'state-note state-note-bad' },
        h('span', { class: 'state-text' }, failureText(turn)),
        retryButton(turn, actions),
      );
    case 'complete':
    default:
      return undefined;
  }
}

/** Why the answer is missing or incomplete. */
function failureText({ messages }: Turn): string {
  const hasText = messages.some((message) => message.role === 'assistant' && messageText(message) !== '');
  const isNotice = messages.some((message) => message.role === 'assistant' && message.origin === 'notice');
  const unanswered = isNotice ? 'This could not be answered' : 'The model did not answer';
  const what = hasText ? 'This answer was interrupted' : unanswered;
  const reason = failureOf(messages);
  return reason === undefined ? `${what}: the page was closed before it was complete.` : `${what}: ${reason}`;
}

function retryButton(turn: Turn, actions: TurnActions): HTMLElement {
  return h(
    'button',
    { type: 'button', class: 'button button-small', on: { click: () => actions.retry(turn) } },
    'Try again',
  );
}

function turnLabel(turn: Turn): string {
  const input = turnInput(turn);
  return input === ''
    ? 'Answer'
    : `You: ${input.length > LABEL_LENGTH ? `${input.slice(0, LABEL_LENGTH)}…` : input}`;
}

const LABEL_LENGTH = 80;
