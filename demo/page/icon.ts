const SVG = 'http://www.w3.org/2000/svg';

/** SVG paths on a grid of 24 units. */
const PATHS = {
  plus: 'M12 5v14M5 12h14',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14ZM20 20l-4.2-4.2',
  trash: 'M4.5 7h15M9.5 7V4.5h5V7M6.5 7l.9 12.5h9.2L17.5 7M10.2 11v5M13.8 11v5',
  send: 'M12 19V5.5M6 11.2l6-6 6 6',
  stop: 'M7.5 7.5h9v9h-9z',
  menu: 'M4 7h16M4 12h16M4 17h16',
  close: 'M6 6l12 12M18 6 6 18',
  sun: 'M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM12 3v1.5M12 19.5V21M3 12h1.5M19.5 12H21M5.6 5.6l1.1 1.1M17.3 17.3l1.1 1.1M5.6 18.4l1.1-1.1M17.3 6.7l1.1-1.1',
  moon: 'M19.5 14.2A8 8 0 0 1 9.8 4.5a8 8 0 1 0 9.7 9.7Z',
  plug: 'M9 3.5v4.5M15 3.5v4.5M6.5 8h11v3.5a5.5 5.5 0 0 1-11 0V8ZM12 17v3.5',
  memory: 'M5 19V9.8a3.5 3.5 0 0 1 7 0V19M12 19V9.8a3.5 3.5 0 0 1 7 0V19',
  chevron: 'M9 6l6 6-6 6',
  shield: 'M12 3.5l7 2.6v5.2c0 4.3-2.9 7.6-7 9.2-4.1-1.6-7-4.9-7-9.2V6.1L12 3.5Z',
  pin: 'M9 4h6l-.8 6 3.3 3.5h-11L9.8 10 9 4ZM12 13.5V20',
  pencil: 'M5 19l.8-3.8 9.7-9.7 3 3-9.7 9.7L5 19ZM13.5 7.5l3 3',
  source: 'M10 6H5.5v12.5H18V14M13 5h6v6M19 5l-8.5 8.5',
  retry: 'M19 12a7 7 0 1 1-2.2-5.1M19.5 4v4.2h-4.2',
  save: 'M12 4v11M7.5 10.8l4.5 4.5 4.5-4.5M5 19.5h14',
  open: 'M12 15V4.2M7.5 8.5 12 4l4.5 4.5M5 19.5h14',
} as const;

export type IconName = keyof typeof PATHS;

/** Creates a decorative icon. The element around it must carry the label. */
export function icon(name: IconName): SVGSVGElement {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('class', 'icon');
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS(SVG, 'path');
  path.setAttribute('d', PATHS[name]);
  svg.append(path);
  return svg;
}
