import { h } from './element.ts';

export interface Tab {
  /** Unique in the page. */
  id: string;
  label: string;
  content: HTMLElement;
  /** Called when the tab is selected, and when another one is. */
  onShow?(isShown: boolean): void;
}

export interface Tabs {
  readonly element: HTMLElement;
  /** Shows a number after the label; 0 hides it. */
  setCount(id: string, value: number): void;
  select(id: string): void;
  selected(): string;
}

/** Creates tabs, one of which is shown. The arrow keys, Home and End move between them. */
export function tabs(label: string, all: readonly [Tab, ...Tab[]]): Tabs {
  const counts = new Map(all.map(({ id }) => [id, h('span', { class: 'tab-count', hidden: true })]));
  const buttons = all.map((tab) =>
    h(
      'button',
      {
        type: 'button',
        class: 'tab',
        role: 'tab',
        id: `tab-${tab.id}`,
        'aria-controls': `tabpanel-${tab.id}`,
        on: { click: () => select(tab.id) },
      },
      tab.label,
      counts.get(tab.id),
    ),
  );
  const panels = all.map((tab) =>
    h(
      'div',
      {
        class: 'tabpanel',
        role: 'tabpanel',
        id: `tabpanel-${tab.id}`,
        'aria-labelledby': `tab-${tab.id}`,
        tabindex: 0,
        hidden: true,
      },
      tab.content,
    ),
  );
  const list = h('div', { class: 'tablist', role: 'tablist', 'aria-label': label }, ...buttons);
  let current = '';

  function select(id: string): void {
    if (id === current) return;
    const left = all.find((tab) => tab.id === current);
    current = id;
    for (const [index, tab] of all.entries()) {
      const isShown = tab.id === id;
      buttons[index]?.setAttribute('aria-selected', String(isShown));
      buttons[index]?.setAttribute('tabindex', isShown ? '0' : '-1');
      panels[index]?.toggleAttribute('hidden', !isShown);
    }
    left?.onShow?.(false);
    all.find((tab) => tab.id === id)?.onShow?.(true);
  }

  list.addEventListener('keydown', (event) => {
    const at = all.findIndex(({ id }) => id === current);
    const next = nextIndex(event.key, at, all.length);
    const tab = next === undefined ? undefined : all[next];
    if (next === undefined || !tab) return;
    event.preventDefault();
    select(tab.id);
    buttons[next]?.focus();
  });
  select(all[0].id);

  return {
    element: h('div', { class: 'tabs' }, list, ...panels),
    setCount(id, value) {
      const shown = counts.get(id);
      if (!shown) return;
      shown.textContent = ` ${value}`;
      shown.hidden = value === 0;
    },
    select,
    selected: () => current,
  };
}

function nextIndex(key: string, at: number, length: number): number | undefined {
  switch (key) {
    case 'ArrowRight':
      return (at + 1) % length;
    case 'ArrowLeft':
      return (at + length - 1) % length;
    case 'Home':
      return 0;
    case 'End':
      return length - 1;
    default:
      return undefined;
  }
}
