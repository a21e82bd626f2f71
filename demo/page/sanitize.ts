import createPurifier from 'dompurify';

/** What markdown can make, without anything that loads or submits something. */
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

/** Turns untrusted HTML into nodes: no scripts, styles, media, forms or handlers, and only links that a person must click. */
export function sanitize(html: string): DocumentFragment {
  const fragment = createPurifier(window).sanitize(html, {
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
  // What is wider than the column scrolls by itself: with the keyboard, too.
  for (const wide of fragment.querySelectorAll<HTMLElement>('pre, table')) wide.tabIndex = 0;
  return fragment;
}
