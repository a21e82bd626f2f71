import type { GraphColors } from './graph-drawing.ts';

const VARIABLES = ['ink', 'soft', 'accent', 'surface'] as const satisfies readonly (keyof GraphColors)[];

/** Reads the theme's colors as a canvas needs them. A CSS variable's own text may hold both light and dark. */
export function readColors(place: HTMLElement): GraphColors {
  const probe = document.createElement('span');
  place.append(probe);
  const colors: GraphColors = { ink: '', soft: '', accent: '', surface: '' };
  for (const name of VARIABLES) {
    probe.className = `color-${name}`;
    colors[name] = getComputedStyle(probe).color;
  }
  probe.remove();
  return colors;
}

/** Calls `onChange` whenever the theme changes, until the returned function is called. */
export function watchColors(onChange: () => void): () => void {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const observer = new MutationObserver(onChange);
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  dark.addEventListener('change', onChange);
  return () => {
    observer.disconnect();
    dark.removeEventListener('change', onChange);
  };
}
