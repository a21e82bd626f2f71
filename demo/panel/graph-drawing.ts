import forceAtlas2 from 'graphology-layout-forceatlas2';
import { Sigma } from 'sigma';
import type { NodeHoverDrawingFunction, NodeLabelDrawingFunction } from 'sigma/rendering';
import type { KnowledgeGraph } from '../../src/index.ts';

type Graph = KnowledgeGraph['graph'];

/** As CSS computes them for the theme in use. */
export interface GraphColors {
  ink: string;
  soft: string;
  accent: string;
  surface: string;
}

/** What of a graph is drawn. */
export interface KnownGraph {
  graph: Graph;
  /** The facts that hold. */
  factIds: ReadonlySet<string>;
  /** Names of the entities to draw, by node. */
  names: ReadonlyMap<string, string>;
}

export interface GraphDrawing {
  /** Marks an entity by its node, and the facts around it. */
  select(node: string | undefined): void;
  close(): void;
}

/**
 * Draws entities and the facts between them that hold. Where the nodes lie follows from the facts alone: the same
 * facts give the same picture.
 *
 * @throws Error where the browser offers no WebGL
 */
export function drawGraph(
  container: HTMLElement,
  known: KnownGraph,
  colors: GraphColors,
  onSelect: (node: string | undefined) => void,
): GraphDrawing {
  if (!hasWebGL()) throw new Error('This browser offers no WebGL.');
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

/** A graph of its own for the picture: names for labels, sizes by the number of facts, and places. */
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
    if (!factIds.has(edge)) return; // it holds no more
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

/** Centred under the node: beside it, labels at the edge would be cut off and those of facts be covered. */
function labelBelow(color: string): NodeLabelDrawingFunction {
  return (context, { x, y, size, label }, { labelSize, labelFont }) => {
    if (typeof label !== 'string' || label === '') return;
    context.font = `${labelSize}px ${labelFont}`;
    context.fillStyle = color;
    context.fillText(label, x - context.measureText(label).width / 2, y + size + labelSize);
  };
}

/** The library's own is black on white, whatever the theme. */
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
  context?.getExtension('WEBGL_lose_context')?.loseContext(); // browsers allow only a few at a time
  return context !== null;
}
