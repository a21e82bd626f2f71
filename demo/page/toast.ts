import { h } from './element.ts';
import { icon } from './icon.ts';

export type ToastKind = 'note' | 'warning' | 'error';

export interface Toasts {
  readonly element: HTMLElement;
  show(kind: ToastKind, message: string): void;
  /** Shows an error. Aborts are not shown, because the user asked for them. */
  showError(error: unknown): void;
}

/** Shows messages in a corner of the page. Notes disappear by themselves; warnings and errors stay until dismissed. */
export function toasts(): Toasts {
  const element = h('div', { class: 'toasts' });

  function show(kind: ToastKind, message: string): void {
    const shown = [...element.children].some((other) => other.querySelector('p')?.textContent === message);
    if (shown) return;
    const close = h(
      'button',
      { type: 'button', class: 'icon-button', 'aria-label': 'Dismiss' },
      icon('close'),
    );
    const toast = h(
      'div',
      { class: `toast toast-${kind}`, role: kind === 'error' ? 'alert' : 'status' },
      h('p', {}, message),
      close,
    );
    close.addEventListener('click', () => toast.remove());
    element.append(toast);
    if (kind === 'note') setTimeout(() => toast.remove(), NOTE_MS);
  }

  function showError(error: unknown): void {
    if (error instanceof DOMException && error.name === 'AbortError') return;
    show('error', error instanceof Error ? error.message : String(error));
  }

  return { element, show, showError };
}

const NOTE_MS = 6000;
