import { h } from '../page/element.ts';
import { icon } from '../page/icon.ts';

export interface Composer {
  readonly element: HTMLFormElement;
  /** Replaces the send button with a stop button while an answer is running. */
  setBusy(isBusy: boolean): void;
  fill(text: string): void;
  /** The text that is written but not sent. */
  draft(): string;
  focus(): void;
}

export interface ComposerActions {
  send(text: string): void;
  stop(): void;
}

/** The message box. Enter sends, Shift+Enter starts a new line. */
export function composer(actions: ComposerActions): Composer {
  let isBusy = false;
  const input = h('textarea', {
    id: 'composer-input',
    rows: 1,
    placeholder: 'Write a message',
    'aria-label': 'Message',
    'aria-describedby': 'composer-hint',
    enterkeyhint: 'send',
  });
  const send = h('button', { type: 'submit', class: 'send-button', 'aria-label': 'Send' }, icon('send'));
  const stop = h(
    'button',
    { type: 'button', class: 'send-button stop-button', 'aria-label': 'Stop answering', hidden: true },
    icon('stop'),
  );
  const element = h(
    'form',
    { class: 'composer' },
    h('div', { class: 'composer-box' }, input, send, stop),
    h(
      'p',
      { class: 'hint', id: 'composer-hint' },
      h('kbd', {}, 'Enter'),
      ' sends, ',
      h('kbd', {}, 'Shift'),
      ' ',
      h('kbd', {}, 'Enter'),
      ' starts a new line',
    ),
  );

  function grow(): void {
    input.style.height = 'auto';
    input.style.height = `${Math.min(input.scrollHeight, MAX_HEIGHT)}px`;
    send.disabled = input.value.trim() === '';
  }

  function submit(): void {
    const text = input.value.trim();
    if (text === '' || isBusy) return;
    input.value = '';
    grow();
    actions.send(text);
  }

  element.addEventListener('submit', (event) => {
    event.preventDefault();
    submit();
  });
  input.addEventListener('input', grow);
  input.addEventListener('keydown', (event) => {
    // During composition (Chinese, Japanese …), Enter belongs to the input method.
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    submit();
  });
  stop.addEventListener('click', () => actions.stop());
  send.disabled = true;

  return {
    element,
    setBusy(next) {
      const hadFocus = document.activeElement === stop || document.activeElement === send;
      isBusy = next;
      send.hidden = next;
      stop.hidden = !next;
      if (hadFocus) (next ? stop : input).focus();
    },
    fill(text) {
      input.value = text;
      grow();
      input.focus();
    },
    draft: () => input.value,
    focus: () => input.focus(),
  };
}

const MAX_HEIGHT = 220;
