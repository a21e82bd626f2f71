import { h } from '../page/element.ts';
import { number } from '../page/format.ts';
import type { ContextNote } from './context-log.ts';

const SVG = 'http://www.w3.org/2000/svg';
const WIDTH = 1000;

/** The sections in the order of the prompt. The rest of the request is the question and its frame. */
const SECTIONS = [
  ['pinned', 'pinned'],
  ['profile', 'profile'],
  ['summary', 'summary'],
  ['recent', 'recent turns'],
  ['fact', 'facts'],
  ['recalled', 'recalled turns'],
] as const;

/** Shows how the sections of a request share the token budget, as a bar and in words. */
export function budgetPlot({ items, tokens, maxTokens }: ContextNote): HTMLElement {
  const sections = SECTIONS.map(([kind, label]) => ({
    kind,
    label,
    tokens: items.reduce((sum, item) => sum + (item.kind === kind ? item.tokens : 0), 0),
  }));
  const rest = tokens - sections.reduce((sum, section) => sum + section.tokens, 0);
  const parts = [...sections, { kind: 'question', label: 'question and frame', tokens: Math.max(0, rest) }];
  const shown = parts.filter((part) => part.tokens > 0);
  return h(
    'figure',
    { class: 'budget' },
    bar(shown, Math.max(tokens, maxTokens)),
    h(
      'figcaption',
      {},
      ...shown.map(({ kind, label, tokens: used }) =>
        h('span', { class: `budget-key budget-${kind}` }, `${label} ${number(used)}`),
      ),
      h('span', { class: 'budget-key' }, `free ${number(Math.max(0, maxTokens - tokens))}`),
    ),
  );
}

/** The bar is decorative, because the caption says the same. */
function bar(parts: readonly { kind: string; tokens: number }[], total: number): SVGSVGElement {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', `0 0 ${WIDTH} 10`);
  svg.setAttribute('preserveAspectRatio', 'none');
  svg.setAttribute('aria-hidden', 'true');
  let x = 0;
  for (const { kind, tokens } of parts) {
    const width = (tokens / total) * WIDTH;
    const rect = document.createElementNS(SVG, 'rect');
    for (const [name, value] of Object.entries({ x, y: 0, width, height: 10, class: `budget-${kind}` })) {
      rect.setAttribute(name, String(value));
    }
    svg.append(rect);
    x += width;
  }
  return svg;
}
