import { expect, it } from 'vitest';
import { markdownToHtml } from '../../../demo/page/markdown-html.ts';

const LONGEST = 20_000;

function filled(part: string): string {
  return part.repeat(Math.floor(LONGEST / part.length));
}

function shownAs(text: string): string | undefined {
  try {
    return markdownToHtml(text);
  } catch (error) {
    expect(error).toBeInstanceOf(RangeError);
    return undefined;
  }
}

function cpuTime(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

it('DEMO-32: markdown that is too deep, too dense or too long is not parsed', () => {
  const hostile = {
    quotes: '> '.repeat(3000),
    'tight quotes': '>'.repeat(3000),
    'emphasis that never ends': '**a *b'.repeat(5000),
    underscores: '_a'.repeat(5000),
    lists: '- '.repeat(3000),
    'numbered lists': '1. '.repeat(3000),
    'a long text': 'a word '.repeat(10_000),
    'a word without end': 'a'.repeat(2000),
    'space without end': `# a${' '.repeat(2000)}b`,
    'lines without a paragraph': `- a\n${'a\n'.repeat(2000)}`,
    'a table of empty cells': `${'|a'.repeat(100)}\n${'|-'.repeat(100)}\n${'a\n'.repeat(100)}`,
    'many tables of empty cells': `${'|a'.repeat(30)}\n${'|-'.repeat(30)}\n${'a\n'.repeat(40)}\n`.repeat(90),
  };
  for (const [name, text] of Object.entries(hostile)) {
    expect(() => markdownToHtml(text), name).toThrow(RangeError);
  }
});

it('DEMO-32: markdown of the greatest length is parsed in the time of ordinary markdown, or not at all', () => {
  const ordinary = filled('**bold** and *soft*, with `code` and [a link](https://example.org).\n\n');
  const hostile = {
    'open brackets': filled('[ '),
    'open links': filled('[a](b '),
    'open link titles': filled('[a](b "c '),
    'nested brackets': `${'['.repeat(900)} `.repeat(20),
    backslashes: `${'[\\'.repeat(490)} `.repeat(20),
    backticks: filled('` `` '),
    'open tags': filled('<a '),
    'open comments': filled('<!-- '),
    references: filled('[a]: b\n\n'),
    'addresses that never end': `http://a${'.'.repeat(980)} `.repeat(20),
    'mail addresses without a host': `${'a'.repeat(990)}@ `.repeat(20),
    'exclamation marks': `${'!'.repeat(990)} `.repeat(20),
    'strikethrough that never ends': filled('~~a '),
    'emphasis in paragraphs': `${'**a *b'.repeat(60)}\n\n`.repeat(54),
    'emphasis in quotes': `> ${'**a *b'.repeat(60)}\n\n`.repeat(54),
    'emphasis in headings': `# ${'**a *b'.repeat(60)}\n`.repeat(54),
    'headings with space': `# a${' '.repeat(990)}b\n`.repeat(20),
    'underlined lines': `${'a\n-\n'.repeat(490)}\n`.repeat(10),
    'lazy lines in lists': `- a\n${'a\n'.repeat(950)}\n`.repeat(10),
    'deep lists': Array.from({ length: 190 }, (_, depth) => `${' '.repeat(depth)}- a`).join('\n'),
    'deep quotes': `${'>'.repeat(32)} a\n`.repeat(560),
    'loose lists': filled('- a\n\n'),
    tables: `${'|a'.repeat(15)}\n${'|-'.repeat(15)}\n${'a\n'.repeat(60)}\n`.repeat(106),
  };
  const least = Math.min(...[0, 1, 2, 3].map(() => cpuTime(() => shownAs(ordinary))));
  for (const [name, text] of Object.entries(hostile)) {
    expect(text.length, name).toBeLessThanOrEqual(LONGEST);
    // Without limits, 40,000 characters can take more than a hundred times as long. Other work on the machine makes
    // some tries slower.
    const isQuick = [0, 1, 2, 3, 4].some(() => cpuTime(() => shownAs(text)) < 40 * least);
    expect(isQuick, name).toBe(true);
  }
});

it('DEMO-32: ordinary markdown is parsed, even if it is long', () => {
  const nested = '> one\n> > two\n> > > three';
  expect(markdownToHtml(nested)).toContain('<blockquote>');
  expect(markdownToHtml('- a\n  - b\n    - c')).toContain('<li>');
  expect(markdownToHtml(`a\n\n${'-'.repeat(80)}\n\nb`)).toContain('<hr>');
  expect(markdownToHtml('**bold** and *soft*.\n\n'.repeat(900))).toContain('<strong>');
  expect(markdownToHtml(`| a | b |\n|---|---|\n${'| one | *two* |\n'.repeat(200)}`)).toContain('<td>');
  expect(markdownToHtml('- an item\n'.repeat(400))).toContain('<li>');
  const code = 'int *a, **b, ***c;\n'.repeat(500);
  expect(markdownToHtml(`\`\`\`c\n${code}\`\`\``)).toContain('<code');
  expect(markdownToHtml('<b onclick="x">')).toBe('&lt;b onclick=&quot;x&quot;&gt;');
});
