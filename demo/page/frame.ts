import { h } from './element.ts';
import { icon } from './icon.ts';

export interface PageFrameParts {
  search: HTMLElement;
  sessions: HTMLElement;
  status: readonly HTMLElement[];
  theme: HTMLElement;
  conversation: HTMLElement;
  composer: HTMLElement;
  /** Shown beside the conversation, or over it on narrow screens. */
  panel: HTMLElement;
  panelToggle: HTMLElement;
  toasts: HTMLElement;
}

export interface PageFrameActions {
  newChat(): void;
  openConnection(): void;
}

export interface PageFrame {
  readonly element: HTMLElement;
  setTitle(title: string): void;
  /** Shows the name of the connected model; undefined for none. */
  setModel(name: string | undefined): void;
  /** Hides the list of conversations while search results are shown. */
  setSearching(isSearching: boolean): void;
  /** Closes the sidebar, which covers the page on narrow screens. */
  closeSidebar(): void;
  setPanelOpen(isOpen: boolean): void;
  announce(text: string): void;
}

/** Creates the frame of the page: sidebar, header, conversation, composer and panel. */
export function pageFrame(parts: PageFrameParts, actions: PageFrameActions): PageFrame {
  const title = h('h1', { class: 'chat-title' }, 'New chat');
  const dot = h('span', { class: 'dot' });
  const model = h('span', { class: 'model-name' });
  const connection = h('button', { type: 'button', class: 'button model-button', id: 'connect' }, dot, model);
  const live = h('p', { class: 'visually-hidden', role: 'status' });
  const heading = h('h2', { class: 'sidebar-heading' }, 'Conversations');
  const menu = h(
    'button',
    {
      type: 'button',
      class: 'icon-button menu-button',
      'aria-label': 'Conversations',
      'aria-expanded': 'false',
      'aria-controls': 'sidebar',
    },
    icon('menu'),
  );
  const closeMenu = h(
    'button',
    { type: 'button', class: 'icon-button menu-close', 'aria-label': 'Close' },
    icon('close'),
  );
  const sidebar = h(
    'aside',
    { class: 'sidebar', id: 'sidebar', 'aria-label': 'Conversations and memory' },
    h(
      'div',
      { class: 'brand' },
      brandMark(),
      h('span', { class: 'brand-name' }, 'Mnemora'),
      parts.theme,
      closeMenu,
    ),
    h(
      'button',
      { type: 'button', class: 'button new-chat', on: { click: () => actions.newChat() } },
      icon('plus'),
      'New chat',
    ),
    parts.search,
    h('nav', { class: 'session-nav', 'aria-label': 'Conversations' }, heading, parts.sessions),
    h('footer', { class: 'sidebar-footer' }, ...parts.status),
  );
  const overlay = matchMedia(PANEL_OVERLAY);
  const drawer = matchMedia(SIDEBAR_DRAWER);
  let isPanelOpen = false;
  const scrim = h('div', { class: 'scrim' });
  const main = h(
    'main',
    { class: 'main' },
    h('header', { class: 'chat-header' }, menu, title, connection, parts.panelToggle),
    parts.conversation,
    parts.composer,
  );
  const element = h(
    'div',
    { class: 'app' },
    h('a', { class: 'skip-link', href: '#composer-input' }, 'Skip to the message box'),
    sidebar,
    scrim,
    main,
    parts.panel,
    parts.toasts,
    live,
  );

  function setSidebar(isOpen: boolean): void {
    element.classList.toggle('is-sidebar-open', isOpen);
    menu.ariaExpanded = String(isOpen);
    coverPage();
  }
  function closeSidebar(): void {
    if (!element.classList.contains('is-sidebar-open')) return;
    setSidebar(false);
    menu.focus();
  }
  menu.addEventListener('click', () => {
    setSidebar(true);
    closeMenu.focus();
  });
  closeMenu.addEventListener('click', closeSidebar);
  scrim.addEventListener('click', closeSidebar);
  sidebar.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && !event.defaultPrevented) closeSidebar();
  });
  /** Makes inert what the panel or the sidebar covers. */
  function coverPage(): void {
    const isUnderPanel = isPanelOpen && overlay.matches;
    sidebar.inert = isUnderPanel;
    main.inert = isUnderPanel || (drawer.matches && element.classList.contains('is-sidebar-open'));
  }
  overlay.addEventListener('change', coverPage);
  drawer.addEventListener('change', coverPage);
  connection.addEventListener('click', () => actions.openConnection());
  // The default action would change the hash, which names the conversation.
  element.querySelector('.skip-link')?.addEventListener('click', (event) => {
    event.preventDefault();
    document.getElementById('composer-input')?.focus();
  });

  return {
    element,
    setTitle(text) {
      title.textContent = text;
      document.title = text === 'New chat' ? 'Mnemora' : `${text} · Mnemora`;
    },
    setModel(name) {
      dot.classList.toggle('is-on', name !== undefined);
      model.textContent = name ?? 'No model';
      connection.title = name === undefined ? 'Connect a model' : 'Change the model';
    },
    setSearching(isSearching) {
      parts.sessions.hidden = isSearching;
      heading.hidden = isSearching;
    },
    closeSidebar,
    setPanelOpen(isOpen) {
      isPanelOpen = isOpen;
      element.classList.toggle('is-panel-open', isOpen);
      coverPage();
    },
    announce(text) {
      live.textContent = text;
    },
  };
}

/** The same breakpoint as in `panel.css`. */
const PANEL_OVERLAY = '(width <= 1100px)';
/** The same breakpoint as in `layout.css`. */
const SIDEBAR_DRAWER = '(width <= 760px)';

function brandMark(): HTMLElement {
  return h('img', { src: './icon.svg', alt: '', width: 28, height: 28 });
}
