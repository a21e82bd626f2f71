import { expect, it } from 'vitest';
import { markdownToHtml } from '../../../demo/page/markdown-html.ts';

it('DEMO-32: markdown that is too deep, too dense or too long is not parsed', () => {
  const hostile = {
    quotes: '> '.repeat(3000),
    'tight quotes': '>'.repeat(3000),
    'emphasis that never ends': '**a *b'.repeat(5000),
    underscores: '_a'.repeat(5000),
    lists: '- '.repeat(3000),
    'numbered lists': '1. '.repeat(3000),
    'a long text': 'a word '.repeat(10_000),
  };
  for (const [name, text] of Object.entries(hostile)) expect(markdownToHtml(text), name).toBeUndefined();
});

it('DEMO-32: ordinary markdown is parsed, even if it is long', () => {
  const nested = '> one\n> > two\n> > > three';
  expect(markdownToHtml(nested)).toContain('<blockquote>');
  expect(markdownToHtml('- a\n  - b\n    - c')).toContain('<li>');
  expect(markdownToHtml(`a\n\n${'-'.repeat(80)}\n\nb`)).toContain('<hr>');
  expect(markdownToHtml('**bold** and *soft*.\n\n'.repeat(1000))).toContain('<strong>');
  const code = 'int *a, **b, ***c;\n'.repeat(500);
  expect(markdownToHtml(`\`\`\`c\n${code}\`\`\``)).toContain('<code');
  expect(markdownToHtml('<b onclick="x">')).toBe('&lt;b onclick=&quot;x&quot;&gt;');
});
