import type { Memory, KnowledgeGraph, MemoryFact } from '../../src/index.ts';
import { nameTo } from '../memory/fact-sentence.ts';
import type { KnownThings } from '../memory/known-things.ts';
import { h } from '../page/element.ts';
import { keepFocus } from '../page/keep-focus.ts';
import { updateKeyedList } from '../page/keyed-list.ts';
import { readColors, watchColors } from './graph-colors.ts';
import type { GraphDrawing, KnownGraph } from './graph-drawing.ts';
import { nodeDetails } from './node-details.ts';

export interface GraphView {
  readonly element: HTMLElement;
  show(known: KnownThings): Promise<void>;
  /** Starts or stops drawing. The graph library is loaded by the first call with true. */
  setShown(isShown: boolean): void;
  close(): void;
}

/** Entities and facts as a picture, with a list of entities and the facts of the selected one, which also works with the keyboard. */
export function graphView(memory: Memory, onError: (error: unknown) => void): GraphView {
  const canvas = h('div', {
    class: 'graph-canvas',
    role: 'img',
    'aria-label': 'Graph of the current facts',
  });
  const missing = h('p', { class: 'state-note graph-missing', role: 'status', hidden: true });
  const empty = h('p', { class: 'hint' }, 'The graph is empty: no facts are known yet.');
  const list = h('ul', { class: 'node-list', 'aria-label': 'Entities in the graph', tabindex: -1 });
  const details = h('div', { class: 'node-details', 'aria-live': 'polite' });
  const element = h('div', { class: 'panel-section' }, missing, empty, canvas, list, details);
  let known: KnownThings | undefined;
  let shown: KnownGraph | undefined;
  let drawing: GraphDrawing | undefined;
  let drawn = '';
  let selected: string | undefined;
  let isShown = false;
  let queue: Promise<void> = Promise.resolve();
  const stopWatching = watchColors(() => {
    drawn = '';
    void update();
  });

  /** Queues updates, because each loads something first and two pictures must not share the canvas. */
  function update(): Promise<void> {
    queue = queue.then(draw).catch(onError);
    return queue;
  }

  async function draw(): Promise<void> {
    if (!isShown || !known) return;
    const { facts } = known;
    shown = graphOf(await memory.facts.graph(), facts);
    const { names } = shown;
    empty.hidden = names.size > 0;
    canvas.hidden = names.size === 0 || !missing.hidden;
    if (selected !== undefined && !names.has(selected)) selected = undefined;
    const version = JSON.stringify([[...names], [...shown.factIds]]);
    if (version !== drawn) {
      drawn = version;
      await redraw(shown);
    }
    showNodes(names);
    await showDetails(facts);
    drawing?.select(selected);
  }

  async function redraw(next: KnownGraph): Promise<void> {
    drawing?.close();
    drawing = undefined;
    if (next.names.size === 0) return;
    try {
      const { drawGraph } = await import('./graph-drawing.ts');
      if (!isShown) {
        drawn = '';
        return;
      }
      canvas.hidden = false;
      drawing = drawGraph(canvas, next, readColors(canvas), select);
      missing.hidden = true;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      missing.textContent = `The graph cannot be drawn: ${reason} Its facts are listed below.`;
      missing.hidden = false;
      canvas.hidden = true;
    }
  }

  function select(node: string | undefined): void {
    selected = node;
    void update();
  }

  function showNodes(names: KnownGraph['names']): void {
    const items = [...names].map(([node, label]) => {
      const isSelected = node === selected;
      return {
        key: node,
        version: `${label} ${String(isSelected)}`,
        make: () => nodeItem(node, label, isSelected, select),
      };
    });
    keepFocus(list, () => updateKeyedList(list, items));
  }

  async function showDetails(facts: readonly MemoryFact[]): Promise<void> {
    const around = facts.filter(
      ({ id }) =>
        selected === undefined || (shown?.factIds.has(id) && shown.graph.extremities(id).includes(selected)),
    );
    const isListed = selected !== undefined || !missing.hidden;
    const made = isListed && known ? await nodeDetails(memory, around, known.sessionOf) : [];
    details.replaceChildren(...made);
  }

  return {
    element,
    show(next) {
      known = next;
      return update();
    },
    setShown(next) {
      isShown = next;
      if (next) {
        void update();
        return;
      }
      drawing?.close();
      drawing = undefined;
      drawn = '';
      details.replaceChildren();
    },
    close() {
      isShown = false;
      stopWatching();
      drawing?.close();
    },
  };
}

/** The current facts, their entities, and entities without any fact. */
function graphOf(whole: KnowledgeGraph, facts: readonly MemoryFact[]): KnownGraph {
  const { graph } = whole;
  // A fact may be newer than the graph, or was forgotten meanwhile.
  const factIds = new Set(facts.flatMap(({ id }) => (graph.hasEdge(id) ? [id] : [])));
  const nodes = graph
    .nodes()
    .filter((node) => graph.degree(node) === 0 || graph.someEdge(node, (edge) => factIds.has(edge)));
  return { graph, factIds, names: new Map(nodes.map((node) => [node, whole.entity(node)?.name ?? node])) };
}

function nodeItem(
  node: string,
  label: string,
  isSelected: boolean,
  select: (node: string | undefined) => void,
): HTMLElement {
  const button = h(
    'button',
    {
      type: 'button',
      class: isSelected ? 'chip is-on' : 'chip',
      'data-action': 'select',
      'aria-pressed': String(isSelected),
      on: { click: () => select(isSelected ? undefined : node) },
    },
    nameTo(label),
  );
  return h('li', { 'data-key': node }, button);
}
