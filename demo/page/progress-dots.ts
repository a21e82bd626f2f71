import { h } from './element.ts';

/** Three dots that say that something is under way; the words beside them say what. */
export function progressDots(): HTMLElement {
  const dots = h('span', { class: 'progress-dots' }, h('span', {}), h('span', {}), h('span', {}));
  dots.ariaHidden = 'true';
  return dots;
}
