import { h } from './element.ts';

/** Creates three animated dots that show progress. They are decorative; text beside them says what is in progress. */
export function progressDots(): HTMLElement {
  const dots = h('span', { class: 'progress-dots' }, h('span', {}), h('span', {}), h('span', {}));
  dots.ariaHidden = 'true';
  return dots;
}
