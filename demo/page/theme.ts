import { h } from './element.ts';
import { icon } from './icon.ts';

type Theme = 'light' | 'dark';
const KEY = 'mnemora-demo-theme';

/** Creates a button that switches between light and dark. Until it is used, the system's setting applies. */
export function themeToggle(): HTMLButtonElement {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const chosen = localStorage.getItem(KEY);
  let override: Theme | undefined = chosen === 'light' || chosen === 'dark' ? chosen : undefined;
  const current = (): Theme => override ?? (dark.matches ? 'dark' : 'light');

  const button = h('button', { type: 'button', class: 'icon-button' });
  const show = (): void => {
    if (override) document.documentElement.dataset['theme'] = override;
    const next = current() === 'dark' ? 'light' : 'dark';
    button.replaceChildren(icon(next === 'light' ? 'sun' : 'moon'));
    button.ariaLabel = `Switch to ${next} colors`;
    button.title = button.ariaLabel;
  };
  button.addEventListener('click', () => {
    override = current() === 'dark' ? 'light' : 'dark';
    localStorage.setItem(KEY, override);
    show();
  });
  dark.addEventListener('change', show);
  show();
  return button;
}
