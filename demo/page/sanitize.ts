import purifier from 'dompurify';

/** The elements that markdown can produce, without those that load or submit something. */
const TAGS = [
  'a',
  'blockquote',
  'br',
  'code',
  'del',
  'em',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'hr',
  'li',
  'ol',
  'p',
  'pre',
  'strong',
  'table',
  'tbody',
  'td',
  'th',
  'thead',
  'tr',
  'ul',
];
const SAFE_LINK = /^(?:https?|mailto):/i;

/** Converts untrusted HTML to nodes without scripts, styles, media, forms or event handlers. Only http, https and mailto links are kept. */
export function sanitize(html: string): DocumentFragment {
  // Another purifier would make another Trusted Types policy, and a page may allow each name only once.
  const fragment = purifier.sanitize(html, {
    ALLOWED_TAGS: TAGS,
    ALLOWED_ATTR: ['href', 'start', 'align'],
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    ALLOWED_URI_REGEXP: SAFE_LINK,
    RETURN_DOM_FRAGMENT: true,
  });
  for (const link of fragment.querySelectorAll('a')) {
    link.target = '_blank';
    link.rel = 'noopener noreferrer nofollow';
  }
  // Wide content scrolls within its column, and must be focusable to scroll with the keyboard.
  for (const wide of fragment.querySelectorAll<HTMLElement>('pre, table')) wide.tabIndex = 0;
  return fragment;
}
