import type { Memory, Embedder } from '../../src/index.ts';
import { h } from '../page/element.ts';

/** Shows how far the embedding model has loaded, and whether search by meaning is available. */
export function modelStatus(memory: Memory, embedder: Embedder): HTMLElement {
  const text = h('span', {}, 'Searches by words while the model loads');
  const bar = h('progress', { max: 1, 'aria-label': 'Loading the embedding model' });
  const element = h('p', { class: 'status-line', role: 'status' }, text, bar);
  const files = new Map<string, { loaded: number; total: number }>();

  const end = (outcome: string): void => {
    bar.remove();
    text.textContent = outcome;
  };
  memory.addEventListener('progress', ({ detail: { file, loadedBytes, totalBytes } }) => {
    files.set(file, { loaded: loadedBytes, total: totalBytes ?? loadedBytes });
    const all = [...files.values()];
    const total = all.reduce((sum, each) => sum + each.total, 0);
    if (total > 0) bar.value = all.reduce((sum, each) => sum + each.loaded, 0) / total;
  });
  embedder.ready().then(
    () => end('Searches by words and by meaning'),
    () => end('Searches by words only: the model did not load'),
  );
  return element;
}
