import { afterEach, expect, test, vi } from 'vitest';
import { conversationView } from '../../../demo/chat/conversation-view.ts';
import { streamingView } from '../../../demo/chat/streaming-view.ts';
import type { Turn } from '../../../demo/memory/turns.ts';
import { h } from '../../../demo/page/element.ts';
import type { StoredMessage } from '../../../src/index.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

function turnOf(id: string, createdAt: number, answer = `Answer ${id}`): Turn {
  const common = { turnId: id, sessionId: 's', createdAt, state: 'complete' as const, origin: undefined };
  const messages = [
    { ...common, id: `${id}-user`, seq: 1, role: 'user', content: `Question ${id}` },
    { ...common, id: `${id}-answer`, seq: 2, role: 'assistant', content: answer },
  ] as unknown as StoredMessage[];
  return { id, state: 'complete', messages };
}

test('DEMO-46: a turn that cannot be drawn says so and can be forgotten, and the others are shown', () => {
  const forgotten: string[] = [];
  const view = conversationView(h('p'), {
    useExample: () => undefined,
    contextOf: ({ id }) =>
      id === 'damaged' ? { version: '', make: () => h('p', {}, String(missing.text)) } : undefined,
    forgetMessage: () => undefined,
    forgetTurn: ({ id }) => forgotten.push(id),
    retry: () => undefined,
  });
  const now = Date.now();
  const timeless = turnOf('timeless', Number.NaN);
  view.show([turnOf('first', now), timeless, turnOf('damaged', now), turnOf('last', now)], undefined, true);
  const shown = [...view.element.querySelectorAll('.turn')];
  expect(shown.map((turn) => turn.textContent?.includes('cannot be shown'))).toEqual([
    false,
    true,
    true,
    false,
  ]);
  for (const button of view.element.querySelectorAll<HTMLElement>('.forget-turn')) button.click();
  expect(forgotten).toEqual(['first', 'timeless', 'damaged', 'last']);
});

const missing = undefined as unknown as { text: string };

test('DEMO-45: the beginning of a very long message is shown, and how much is not', () => {
  const view = streamingView('x'.repeat(123_456), () => undefined);
  const text = view.element.querySelector('.message-user .message-text')?.textContent ?? '';
  expect(text).toHaveLength(
    100_000 + ' more characters are not shown.'.length + (23_456).toLocaleString().length,
  );
  expect(text).toContain(`${(23_456).toLocaleString()} more characters are not shown.`);
});

test('DEMO-47: an answer is drawn at most once a frame, and the longer it is, the fewer frames draw it', () => {
  const frames: FrameRequestCallback[] = [];
  vi.stubGlobal('requestAnimationFrame', (callback: FrameRequestCallback) => frames.push(callback));
  const onGrow = vi.fn();
  const view = streamingView('Hello', onGrow);
  const drawnIn = (count: number, piece: string): number => {
    const before = onGrow.mock.calls.length;
    for (let frame = 0; frame < count; frame++) {
      for (let part = 0; part < 5; part++) view.push(piece);
      expect(frames.length).toBeLessThanOrEqual(1);
      frames.shift()?.(0);
    }
    return onGrow.mock.calls.length - before;
  };
  expect(drawnIn(100, 'a ')).toBe(100); // up to 1,000 characters, once in each frame
  view.push('\n\nparagraph'.repeat(1500));
  expect(drawnIn(100, 'a ')).toBeLessThan(15);
  view.push('the end');
  while (frames.length > 0) frames.shift()?.(0);
  expect(view.element.querySelector('.message-assistant')?.textContent).toContain('the end');
});
