import { h } from '../page/element.ts';
import { icon } from '../page/icon.ts';

export interface Banner {
  readonly element: HTMLElement;
  setModel(name: string | undefined): void;
}

/** A note that no model is connected. It is hidden once a model is connected or the user has closed it. */
export function banner(connectModel: () => void): Banner {
  const close = h(
    'button',
    { type: 'button', class: 'icon-button', 'aria-label': 'Close this note' },
    icon('close'),
  );
  const element = h(
    'div',
    { class: 'banner', role: 'note' },
    h(
      'p',
      {},
      'No model is connected. Answers come from what this browser remembers. ',
      h(
        'button',
        { type: 'button', class: 'link-button', on: { click: () => connectModel() } },
        'Connect a model',
      ),
    ),
    close,
  );
  let hasModel = false;

  function draw(): void {
    element.hidden = hasModel || localStorage.getItem(CLOSED_KEY) !== null;
  }

  close.addEventListener('click', () => {
    localStorage.setItem(CLOSED_KEY, 'true');
    draw();
    document.getElementById('composer-input')?.focus();
  });
  return {
    element,
    setModel(name) {
      hasModel = name !== undefined;
      draw();
    },
  };
}

const CLOSED_KEY = 'mnemora-demo-banner-closed';
