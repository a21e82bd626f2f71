import type { GraphColours } from './graph-drawing.ts';

const VARIABLES = ['ink', 'soft', 'accent', 'surface'] as const satisfies readonly (keyof GraphColours)[];

/** The theme's colours as a canvas understands them: a variable's own text may hold both light and dark. */
export function readColours(place: HTMLElement): GraphColours {
  const probe = document.createElement('span');
  place.append(probe);
  const colours: GraphColours = { ink: '', soft: '', accent: '', surface: '' };
  for (const name of VARIABLES) {
    probe.className = `colour-${name}`;
    colours[name] = getComputedStyle(probe).color;
  }
  probe.remove();
  return colours;
}

/** Tells of another theme, until the returned function is called. */
export function watchColours(onChange: () => void): () => void {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const observer = new MutationObserver(onChange);
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  dark.addEventListener('change', onChange);
  return () => {
    observer.disconnect();
    dark.removeEventListener('change', onChange);
  };
}
