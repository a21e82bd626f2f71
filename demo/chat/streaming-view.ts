import { h } from '../page/element.ts';
import { renderMarkdown } from '../page/markdown.ts';
import { plainText } from '../page/plain-text.ts';
import { progressDots } from '../page/progress-dots.ts';

export interface StreamingView {
  readonly element: HTMLElement;
  /** Adds a piece of the answer. */
  push(text: string): void;
  /** Shows the recalled context. */
  setContext(context: HTMLElement): void;
}

/** The running turn: the question, and the answer as it grows. */
export function streamingView(input: string, onGrow: () => void): StreamingView {
  const text = h('div', { class: 'message-text' });
  const waiting = progressDots();
  const context = h('footer', { class: 'turn-footer' });
  const element = h(
    'article',
    // With `aria-busy`, screen readers wait for the whole answer instead of reading fragments.
    { class: 'turn turn-streaming', 'aria-busy': 'true', 'aria-label': `You: ${input}` },
    h(
      'section',
      { class: 'message message-user' },
      h('header', { class: 'message-header' }, h('span', { class: 'speaker' }, 'You')),
      h('div', { class: 'message-text' }, plainText(input)),
    ),
    h(
      'section',
      { class: 'message message-assistant' },
      h('header', { class: 'message-header' }, h('span', { class: 'speaker' }, 'Answer')),
      waiting,
      text,
    ),
    context,
  );
  let answer = '';
  let isDrawing = false;
  let framesLeft = 0;

  function drawInFrame(): void {
    if (framesLeft > 0) {
      framesLeft -= 1;
      requestAnimationFrame(drawInFrame);
      return;
    }
    isDrawing = false;
    framesLeft = Math.floor(answer.length / CHARACTERS_PER_FRAME);
    waiting.remove();
    text.replaceChildren(renderMarkdown(answer));
    onGrow();
  }

  return {
    element,
    push(piece) {
      answer += piece;
      if (isDrawing) return;
      // Pieces arrive faster than frames, so they are drawn once a frame.
      isDrawing = true;
      requestAnimationFrame(drawInFrame);
    },
    setContext(view) {
      context.replaceChildren(view);
      onGrow();
    },
  };
}

/** The whole answer is drawn each time, so a long one is drawn in fewer frames: the work of a frame stays the same on average. */
const CHARACTERS_PER_FRAME = 2_000;
