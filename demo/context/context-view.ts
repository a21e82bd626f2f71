import type { MemoryFact, SessionSummary, StoredMessage } from '../../src/index.ts';
import { sentenceTo } from '../memory/fact-sentence.ts';
import { messageText } from '../memory/turns.ts';
import { h } from '../page/element.ts';
import { count, longTime, number, shortTime } from '../page/format.ts';
import { icon } from '../page/icon.ts';
import { routeToHash } from '../page/route.ts';
import { budgetPlot } from './budget-plot.ts';
import type { ContextNote, ContextReference } from './context-log.ts';
import type { Sources } from './source-lookup.ts';

/** Shows what the model was given besides the question: facts, earlier turns, why each was chosen, and its share of the budget. */
export function contextView(note: ContextNote, sources: Sources, currentId: string): HTMLElement {
  const recalled = note.items.filter(({ kind }) => kind === 'recalled');
  const recent = note.items.filter(({ kind }) => kind === 'recent');
  const known = note.items.filter(({ kind }) => KNOWN_KINDS.has(kind));
  return h(
    'details',
    { class: 'context' },
    h(
      'summary',
      {},
      icon('memory'),
      h('span', {}, titleOf(note)),
      h('span', { class: 'context-tokens' }, `${number(note.tokens)} of ${number(note.maxTokens)} tokens`),
    ),
    h(
      'div',
      { class: 'context-body' },
      budgetPlot(note),
      note.overBudget
        ? h(
            'p',
            { class: 'state-note' },
            'The question alone is larger than the budget, so nothing else was sent with it.',
          )
        : undefined,
      known.length === 0
        ? undefined
        : h(
            'ul',
            { class: 'recalled', 'aria-label': 'What is known' },
            ...known.map((item) => knownItem(item, sources)),
          ),
      recalled.length === 0
        ? undefined
        : h(
            'ol',
            { class: 'recalled', 'aria-label': 'Earlier turns' },
            ...recalled.toSorted(byScore).map((item) => recalledItem(item, sources, currentId)),
          ),
      h('p', { class: 'hint' }, recentLine(recent)),
    ),
  );
}

/** A string that changes whenever the view of this context would. */
export function contextVersion(note: ContextNote, sources: Sources): string {
  const present = note.items.flatMap((item) => [
    ...item.sources.filter((id) => sources.messages.has(id)),
    ...(item.factId !== undefined && sources.facts.has(item.factId) ? [item.factId] : []),
    ...(item.kind === 'summary' ? [sources.summaries.get(item.sessionId)?.updatedAt ?? ''] : []),
  ]);
  return `${note.tokens}:${note.items.length}:${present.join()}`;
}

const KNOWN_KINDS: ReadonlySet<ContextReference['kind']> = new Set(['pinned', 'profile', 'summary', 'fact']);

/** A title such as "2 facts, your profile and 3 earlier turns recalled". */
function titleOf({ items }: ContextNote): string {
  const countOf = (...kinds: ContextReference['kind'][]): number =>
    items.filter(({ kind }) => kinds.includes(kind)).length;
  const facts = countOf('fact', 'pinned');
  const turns = countOf('recalled');
  const recent = countOf('recent');
  const parts = [
    ...(facts > 0 ? [count(facts, 'fact')] : []),
    ...(countOf('profile') > 0 ? ['your profile'] : []),
    ...(countOf('summary') > 0 ? ['a summary'] : []),
    ...(turns > 0 ? [count(turns, 'earlier turn')] : []),
    ...(recent > 0 ? [`${count(recent, 'turn')} of this chat`] : []),
  ];
  return parts.length === 0 ? 'Nothing recalled' : `${LIST.format(parts)} recalled`;
}

/** One known item. The note holds no text, so the current text is shown. */
function knownItem(item: ContextReference, sources: Sources): HTMLElement {
  return h(
    'li',
    { class: 'known-context' },
    ...knownLines(item, sources),
    h(
      'p',
      { class: 'recalled-why' },
      ...(item.kind === 'pinned' ? [h('span', { class: 'tag tag-on' }, 'pinned'), ' '] : []),
      ...reasons(item),
      h('span', { class: 'tag' }, `${number(item.tokens)} tokens`),
    ),
  );
}

function knownLines(item: ContextReference, { facts, summaries, messages }: Sources): HTMLElement[] {
  if (item.kind === 'summary') return summaryLines(item, summaries.get(item.sessionId));
  if (item.factId !== undefined || item.kind !== 'profile')
    return factLines(item, item.factId === undefined ? undefined : facts.get(item.factId));
  return profileLines(
    item,
    item.sources.flatMap((id) => messages.get(id) ?? []),
  );
}

/** Lines of the user's profile, which every question gets. */
function profileLines(item: ContextReference, messages: readonly StoredMessage[]): HTMLElement[] {
  return [
    h('p', { class: 'recalled-meta' }, `Your profile · ${shortTime(item.createdAt)}`),
    ...(messages.length === 0
      ? [gone()]
      : messages.map((message) => h('p', { class: 'recalled-text' }, shorten(messageText(message))))),
  ];
}

function summaryLines(item: ContextReference, summary: SessionSummary | undefined): HTMLElement[] {
  const meta = h(
    'p',
    { class: 'recalled-meta' },
    `Summary of the earlier turns · ${longTime(item.createdAt)}`,
  );
  if (!summary) return [meta, gone()];
  if (summary.updatedAt !== item.createdAt) {
    return [meta, h('p', { class: 'recalled-gone' }, 'This summary has been replaced since.')];
  }
  return [meta, h('p', { class: 'recalled-text' }, shorten(summary.text))];
}

function factLines(item: ContextReference, fact: MemoryFact | undefined): HTMLElement[] {
  const meta = h('p', { class: 'recalled-meta' }, `Fact · since ${shortTime(item.createdAt)}`);
  if (!fact) return [meta, gone()];
  return [
    meta,
    h('p', { class: 'recalled-text' }, sentenceTo(fact)),
    ...(fact.retractedAt === undefined
      ? []
      : [h('p', { class: 'recalled-gone' }, `No longer believed since ${longTime(fact.retractedAt)}.`)]),
  ];
}

function gone(): HTMLElement {
  return h('p', { class: 'recalled-gone' }, 'Forgotten since.');
}

function reasons({ why }: ContextReference): (HTMLElement | string)[] {
  const labels = Object.entries(why).flatMap(([part, value]) => (value > 0 ? (PART_LABELS[part] ?? []) : []));
  return [...new Set(labels)].flatMap((label) => [h('span', { class: 'tag' }, label), ' ']);
}

function recalledItem(item: ContextReference, { messages, titles }: Sources, currentId: string): HTMLElement {
  const present = item.sources.flatMap((id) => messages.get(id) ?? []);
  const [first] = present;
  const title = titles.get(item.sessionId);
  const where = item.sessionId === currentId ? 'this conversation' : title && `“${title}”`;
  return h(
    'li',
    { class: 'recalled-item' },
    h('p', { class: 'recalled-meta' }, longTime(item.createdAt), where ? ` · ${where}` : ''),
    ...(first === undefined
      ? [gone()]
      : present.map((message) =>
          h(
            'p',
            { class: 'recalled-text' },
            h('span', { class: 'speaker' }, message.role === 'user' ? 'You' : 'Answer'),
            ' ',
            shorten(messageText(message)),
          ),
        )),
    h(
      'p',
      { class: 'recalled-why' },
      ...reasons(item),
      h('span', { class: 'tag' }, `${number(item.tokens)} tokens`),
      ' ',
      first &&
        h('a', { href: routeToHash({ sessionId: first.sessionId, messageId: first.id }) }, 'Go to this turn'),
    ),
  );
}

/** Labels for the parts of a score that explain why something was found. */
const PART_LABELS: Readonly<Record<string, string>> = {
  keyword: 'words',
  nearby: 'nearby words',
  vector: 'meaning',
  graph: 'known facts',
  answer: 'answer',
  entity: 'named',
  words: 'words',
};

function recentLine(recent: readonly ContextReference[]): string {
  if (recent.length === 0) return 'No earlier turn of this conversation was sent with it.';
  const tokens = recent.reduce((sum, item) => sum + item.tokens, 0);
  const turns =
    recent.length === 1
      ? 'The last turn of this conversation was'
      : `The last ${recent.length} turns of this conversation were`;
  return `${turns} sent with it in full: ${number(tokens)} tokens.`;
}

function byScore(a: ContextReference, b: ContextReference): number {
  return b.score - a.score;
}

function shorten(text: string): string {
  return text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text;
}

const LIST = new Intl.ListFormat('en');
const MAX_CHARACTERS = 320;
