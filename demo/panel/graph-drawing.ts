import forceAtlas2 from 'graphology-layout-forceatlas2';
import { Sigma } from 'sigma';
import type { NodeHoverDrawingFunction, NodeLabelDrawingFunction } from 'sigma/rendering';
import type { KnowledgeGraph } from '../../src/index.ts';

type Graph = KnowledgeGraph['graph'];

/** Colors of the current theme, as CSS computes them. */
export interface GraphColors {
  ink: string;
  soft: string;
  accent: string;
  surface: string;
}

/** The part of a graph that is drawn. */
export interface KnownGraph {
  graph: Graph;
  /** Ids of the current facts. */
  factIds: ReadonlySet<string>;
  /** Names of the entities to draw, by node. */
  names: ReadonlyMap<string, string>;
}

export interface GraphDrawing {
  /** Highlights the entity of a node and its facts; undefined highlights all. */
  select(node: string | undefined): void;
  close(): void;
}

/**
 * Draws entities and the current facts between them. The layout is deterministic: the same facts give the same picture.
 *
 * @throws Error if the browser does not support WebGL
 */
export function drawGraph(
  container: HTMLElement,
  known: KnownGraph,
  colors: GraphColors,
  onSelect: (node: string | undefined) => void,
): GraphDrawing {
  if (!hasWebGL()) throw new Error('This browser does not support WebGL.');
  const picture = layOut(known);
  let selected: string | undefined;
  const isNear = (node: string): boolean =>
    selected === undefined || node === selected || picture.areNeighbors(node, selected);
  const sigma = new Sigma(picture, container, {
    allowInvalidContainer: true,
    renderEdgeLabels: true,
    defaultEdgeType: 'arrow',
    labelFont: 'system-ui, sans-serif',
    labelSize: 13,
    labelColor: { color: colors.ink },
    edgeLabelFont: 'system-ui, sans-serif',
    edgeLabelSize: 11,
    edgeLabelColor: { color: colors.soft },
    labelRenderedSizeThreshold: 0,
    labelDensity: 2,
    stagePadding: 40,
    zIndex: true,
    defaultDrawNodeLabel: labelBelow(colors.ink),
    defaultDrawNodeHover: hoverIn(colors),
    nodeReducer: (node, data) => ({
      ...data,
      color: node === selected ? colors.ink : colors.accent,
      ...(isNear(node) ? { zIndex: 1 } : { color: colors.soft, label: '' }),
    }),
    edgeReducer: (edge, data) => {
      const isShown = selected === undefined || picture.extremities(edge).includes(selected);
      return { ...data, color: colors.soft, hidden: !isShown };
    },
  });
  sigma.on('clickNode', ({ node }) => onSelect(node));
  sigma.on('clickStage', () => onSelect(undefined));
  sigma.on('enterNode', () => container.style.setProperty('cursor', 'pointer'));
  sigma.on('leaveNode', () => container.style.removeProperty('cursor'));
  return {
    select(node) {
      selected = node !== undefined && picture.hasNode(node) ? node : undefined;
      sigma.refresh({ skipIndexation: true });
    },
    close: () => sigma.kill(),
  };
}

const ITERATIONS = 200;

/** Copies what is drawn into a graph with labels, positions, and sizes by the number of facts. */
function layOut({ graph, factIds, names }: KnownGraph): Graph {
  const picture = graph.nullCopy();
  const nodes = [...names.keys()];
  for (const [index, [node, label]] of [...names].entries()) {
    const angle = (2 * Math.PI * index) / nodes.length;
    picture.addNode(node, {
      label,
      x: Math.cos(angle),
      y: Math.sin(angle),
      size: 6,
    });
  }
  graph.forEachEdge((edge, attributes, source, target) => {
    if (!factIds.has(edge)) return; // a past fact
    picture.addDirectedEdgeWithKey(edge, source, target, {
      label: String(attributes['predicate']),
      size: 1.5,
    });
  });
  for (const node of nodes) {
    picture.setNodeAttribute(node, 'size', Math.min(18, 6 + 2 * Math.sqrt(picture.degree(node))));
  }
  if (picture.order > 2) {
    forceAtlas2.assign(picture, {
      iterations: ITERATIONS,
      settings: { ...forceAtlas2.inferSettings(picture), gravity: 1, adjustSizes: false },
    });
  }
  return picture;
}

/** Draws labels centered below nodes. Beside them, labels would be cut off at the edge and cover those of facts. */
function labelBelow(color: string): NodeLabelDrawingFunction {
  return (context, { x, y, size, label }, { labelSize, labelFont }) => {
    if (typeof label !== 'string' || label === '') return;
    context.font = `${labelSize}px ${labelFont}`;
    context.fillStyle = color;
    context.fillText(label, x - context.measureText(label).width / 2, y + size + labelSize);
  };
}

/** Draws the label of a hovered node. Sigma's own is black on white in every theme. */
function hoverIn({ ink, surface }: GraphColors): NodeHoverDrawingFunction {
  const draw = labelBelow(ink);
  return (context, data, settings) => {
    const { x, y, size, label } = data;
    if (typeof label !== 'string' || label === '') return;
    context.font = `${settings.labelSize}px ${settings.labelFont}`;
    const width = context.measureText(label).width + 8;
    context.fillStyle = surface;
    context.fillRect(x - width / 2, y + size, width, settings.labelSize * 1.5);
    draw(context, data, settings);
  };
}

function hasWebGL(): boolean {
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('webgl2') ?? canvas.getContext('webgl');
  context?.getExtension('WEBGL_lose_context')?.loseContext(); // browsers limit the number of WebGL contexts
  return context !== null;
}
