import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { messageText, type ChatMessage, type StoredMessage } from '../../../src/model/message.ts';
import type { ContextNote, RecalledContext } from '../../../src/recall/layout/context-item.ts';
import { isQuotable, quoteNotes } from '../../../src/recall/layout/fence.ts';
import {
  anyInput,
  assemble,
  explain,
  EMPTY,
  INPUT_MARK,
  MARK,
  spoken,
  toInput,
  tokenizer,
  type Given,
} from '../../fixtures/context-input.ts';

function property(
  body: (context: RecalledContext, given: Given) => void,
  numRuns = 120,
  examples: Given[] = [],
): void {
  fc.assert(
    fc.property(anyInput, (given) => body(assemble(given), given)),
    { numRuns, examples: examples.map((given): [Given] => [given]) },
  );
}

/** Seed 2039230564: a paragraph separator costs more in the stored text than the line that a quote makes of it. */
const SEPARATED: Given = {
  ...EMPTY,
  input: '',
  summary: { text: '.\u2029'.repeat(24), sources: [], why: {}, createdAt: 0, score: 0 },
  maxTokens: 387,
};

/** Ids that begin a text of the messages. */
function idsIn(text: string): Set<string> {
  return new Set(Array.from(text.matchAll(/#(m\d+x\d+)#/g), ([, id]) => id ?? ''));
}

function allText(messages: readonly ChatMessage[]): string {
  return messages.map(messageText).join('\n');
}

/** With notes that nothing else says. */
function withoutSources(given: Given): Given {
  const free = (notes: readonly ContextNote[]): ContextNote[] =>
    notes.map((note) => ({ ...note, sources: [] }));
  return { ...given, profile: free(given.profile), facts: free(given.facts) };
}

describe('assembleContext', { timeout: 60_000 }, () => {
  it('REC-14: roles alternate, and each tool call is directly followed by its one result', () => {
    property(({ messages }, given) => {
      expect(messages[0]?.role).toBe('system');
      const last = messages.at(-1);
      expect(last?.role).toBe('user');
      expect(last && messageText(last).endsWith(given.input)).toBe(true);
      let open: string[] = [];
      for (const [index, message] of messages.entries()) {
        const before = messages[index - 1];
        if (message.role === 'tool') {
          expect(open).toContain(message.tool_call_id);
          open = open.filter((id) => id !== message.tool_call_id);
          continue;
        }
        expect(open).toEqual([]);
        if (index > 0) expect(message.role).not.toBe('system');
        expect(message.role).not.toBe(before?.role);
        if (message.role !== 'assistant') continue;
        open = (message.tool_calls ?? []).map((call) => call.id);
        expect(new Set(open).size).toBe(open.length);
        if (open.length === 0) expect(message.content?.length).toBeGreaterThan(0);
      }
    });
  });

  it('REC-13: items name exactly the messages that are sent or quoted', () => {
    property((context, given) => {
      const byId = new Map(
        [...given.raw, ...given.found.map((found) => found.messages)].flat().map((each) => [each.id, each]),
      );
      const listed = context.items.flatMap((item) => (isNote(item) ? [] : item.sources));
      expect(new Set(listed).size).toBe(listed.length);
      const withText = listed.filter((id) => messageText(byId.get(id) as StoredMessage) !== '');
      const texts = new Set(withText.map((id) => id.replace('-again', '')));
      expect(texts).toEqual(idsIn(allText(context.messages)));
      for (const item of context.items) {
        if (isNote(item)) {
          expect(unquoted(context.text)).toContain(unquoted(item.text));
          continue;
        }
        expect(item.sources.length).toBeGreaterThan(0);
        if (item.kind === 'recalled') expect(context.text).toContain(item.text);
        expect(item.sources.every((id) => byId.get(id)?.role !== 'system')).toBe(true);
      }
    });
  });

  it('REC-18: stored text is never in the system message, and each fence opens and closes once', () => {
    property((context, given) => {
      const system = messageText(context.messages[0] as ChatMessage);
      expect(idsIn(system).size).toBe(0);
      expect(system.startsWith(given.system)).toBe(true);
      const said = allText(context.messages.slice(1));
      expect(system).not.toMatch(/memory-[0-9a-f]{24}/);
      const has = (...kinds: string[]): number =>
        context.items.some((item) => kinds.includes(item.kind)) ? 1 : 0;
      // Pinned facts beyond their share stand in the last message.
      const [front = '', behind = ''] = context.text.split(`<memory-${INPUT_MARK}>`);
      const pinnedIn = (text: string): number => Number(/^\[Pinned facts\]$/mu.test(text));
      expect(Math.max(pinnedIn(front), pinnedIn(behind))).toBe(has('pinned'));
      const fences = [
        Math.max(has('summary'), pinnedIn(front)),
        Math.max(has('profile', 'fact', 'recalled'), pinnedIn(behind)),
      ];
      const opened = [MARK, INPUT_MARK].map((mark) => said.split(`<memory-${mark}>`).length - 1);
      const closed = [MARK, INPUT_MARK].map(
        (mark) => said.toLowerCase().split(`</memory-${mark}>`).length - 1,
      );
      expect([opened, closed]).toEqual([fences, fences]);
      expect(context.text === '').toBe(!fences.includes(1));
      if (!fences.includes(1)) return;
      const last = messageText(context.messages.at(-1) as ChatMessage);
      if (fences[1] === 1) {
        expect(last.endsWith(`</memory-${INPUT_MARK}>\n\n${given.input}`)).toBe(true);
      }
      const lines = context.text
        .split(/[\n\r\u2028\u2029]/)
        .filter((line) => !/^<\/?memory-[0-9a-f]{24}>$/.test(line));
      for (const line of lines) {
        expect(line).toMatch(
          /^(> .*|\[\d{4}-.*\]|\[[A-Z][a-z ]+\]|(user|assistant|tool)( \(.*\))?(, imported)?:|pasted by the user:|)$/,
        );
      }
      expect(context.text).not.toMatch(/<\||\|>|<｜|\[INST\]|<<SYS>>|<\/s>/);
    });
  });

  it('REC-26: what was said on one day stands under one date, what one speaker says in a row under one label', () => {
    const DAY = 86_400_000;
    const turns = ['one', 'two', 'three', 'four'].map((text, turn) => {
      const said = { ...spoken(text, turn), createdAt: Math.floor(turn / 2) * DAY + turn };
      return turn === 1 ? [said, spoken('yes', turn, 'assistant', 1)] : [said];
    });
    const found = [3, 1, 0].map((turn) => ({ messages: turns[turn] ?? [], score: 1, why: {} }));
    const since = { quote: 'four', since: 5 * DAY };
    const note = { text: 'I sing', sources: ['x'], turnId: 'x', createdAt: DAY, score: 1, why: {} };
    const [newest = { messages: [], score: 1, why: {} }, ...older] = found;
    const { text, items } = assemble({
      ...EMPTY,
      found: [{ ...newest, outdated: [since] }, ...older],
      stated: [note],
    });
    expect(text.split('\n').slice(1, -1)).toEqual([
      '[1970-01-01]',
      '> #m0x0# one',
      '> #m1x0# two',
      'assistant:',
      '> #m1x1# yes',
      '',
      '[1970-01-02]',
      '> I sing',
      '[no longer true since 1970-01-06: "four"]',
      'user:',
      '> #m3x0# four',
    ]);
    expect(items.map((item) => item.text)).toEqual([
      '> #m0x0# one',
      '> #m1x0# two\nassistant:\n> #m1x1# yes',
      'I sing',
      '[no longer true since 1970-01-06: "four"]\nuser:\n> #m3x0# four',
    ]);
  });

  it('REC-26: a name is told once a day where nobody else speaks in its role', () => {
    const DAY = 86_400_000;
    const said = (day: number, turn: number, name: string, role: 'user' | 'assistant' = 'user') => ({
      messages: [{ ...spoken('so', turn, role), name, createdAt: day * DAY + turn }],
      score: 1,
      why: {},
    });
    const alone = [
      said(0, 1, 'Ada'),
      said(0, 2, 'Bot', 'assistant'),
      said(0, 3, 'Ada'),
      said(0, 4, 'Bot', 'assistant'),
    ];
    const [bea] = said(1, 6, 'Bea').messages;
    const imported = { messages: bea ? [{ ...bea, origin: 'import' as const }] : [], score: 1, why: {} };
    const together = [said(1, 5, 'Ada'), imported, said(1, 7, 'Ada')];
    const note = { text: 'I sing', sources: ['x'], turnId: 'x', createdAt: 2.5, score: 1, why: {} };
    const { text } = assemble({ ...EMPTY, found: [...alone, ...together], stated: [note] });
    expect(text.split('\n').slice(1, -1)).toEqual([
      ...['[1970-01-01]', 'user (Ada):', '> #m1x0# so', 'assistant (Bot):', '> #m2x0# so'],
      ...['user:', '> I sing', '> #m3x0# so', 'assistant:', '> #m4x0# so', ''],
      ...[
        '[1970-01-02]',
        'user (Ada):',
        '> #m5x0# so',
        'user (Bea), imported:',
        '> #m6x0# so',
        'user (Ada):',
        '> #m7x0# so',
      ],
    ]);
  });

  it('REC-25: a turn that repeats a better match or the window is left out, ignoring case, punctuation and endings', () => {
    const texts = ['I paid 50 euros.', 'i PAID 50 euro', 'I paid 60 euros.', 'Good night!', 'Good night.'];
    const turns = texts.map((text, turn) => [{ ...spoken('', turn), content: text }]);
    const [first = [], again = [], other = [], late = [], recent = []] = turns;
    const best = [again, first, other, late];
    const found = best.map((messages, rank) => ({ messages, score: 9 - rank, why: {} }));
    const { items } = assemble({ ...EMPTY, found, raw: [recent], recentTurns: 1 });
    const recalled = items.filter((item) => item.kind === 'recalled').flatMap((item) => item.sources);
    expect(recalled).toEqual(['m1x0', 'm2x0']);
  });

  it('REC-25: turns without words are not duplicates', () => {
    const turns = ['?!', '!?'].map((content, turn) => [{ ...spoken('', turn), content }]);
    const found = turns.map((messages) => ({ messages, score: 1, why: {} }));
    const reasonsAt = (maxTokens: number): string[] =>
      explain(toInput({ ...EMPTY, found, maxTokens })).map(({ reason }) => reason);
    const reasons = Array.from({ length: 200 }, (_, tokens) => reasonsAt(tokens + 1).join(' '));
    expect(new Set(reasons)).toEqual(new Set(['no-room no-room', 'sent no-room', 'sent sent']));
  });

  it('REC-33: a fact that a sent turn says counts as repeated, even if a profile line has its words', () => {
    const text = 'The dog is called Max.';
    const note = { text, why: {}, createdAt: 0, score: 0, saidBy: [] };
    const given = {
      ...EMPTY,
      recentTurns: 1,
      profileTokens: 0,
      raw: [[{ ...spoken('', 0), content: text }]],
      profile: [{ ...note, sources: [], factId: 'p' }],
      facts: [{ ...note, sources: ['m0x0'], factId: 'f' }],
    };
    const reasons = explain(toInput(given)).map(({ factId, reason }) => [factId, reason]);
    expect(reasons).toContainEqual(['f', 'repeated']);
    expect(reasons).toContainEqual(['p', 'no-room']);
  });

  it('REC-4: the newest turn is sent if it fits the budget, even beyond the share of recent turns', () => {
    const long = [spoken('tell me', 0), spoken('word '.repeat(700), 0, 'assistant', 1)];
    const given = { ...EMPTY, input: 'shorter', raw: [long], recentTurns: 8 };
    const context = assemble({ ...given, maxTokens: 1000 });
    expect(context.items).toMatchObject([{ kind: 'recent', sources: ['m0x0', 'm0x1'] }]);
    expect(assemble({ ...given, maxTokens: 500 }).items).toEqual([]);
  });

  it('REC-10: the profile, the summary and facts stay within their shares and are included while they fit', () => {
    property(
      (context, given) => {
        for (const [kind, share] of [
          ['profile', 0.25],
          ['summary', 0.15],
          ['fact', 0.2],
        ] as const) {
          // As the request has them: what quoting makes of a text may cost less than the text itself.
          const texts = context.items.flatMap((item) => (item.kind === kind ? [item.text] : []));
          const tokens = texts.length > 0 ? tokenizer.countText(quoteNotes('', texts)) : 0;
          expect(tokens).toBeLessThanOrEqual(given.maxTokens * share);
        }
        const { reach: _reach, ...free } = given;
        const roomy = assemble({ ...withoutSources(free), maxTokens: 1e6 });
        const kinds = roomy.items.map((item) => item.kind);
        expect(kinds.filter((kind) => kind === 'pinned')).toHaveLength(given.pinned.length);
        expect(kinds.filter((kind) => kind === 'fact')).toHaveLength(given.facts.length);
        expect(kinds.filter((kind) => kind === 'summary')).toHaveLength(given.summary ? 1 : 0);
      },
      120,
      [SEPARATED],
    );
  });

  it('REC-27: what a sent turn says is not repeated as a fact or a profile line', () => {
    property((context, given) => {
      const texts = [...given.raw, ...given.found.map((each) => each.messages)].flat().filter(isQuotable);
      const quotable = new Set(texts.map(({ id }) => id));
      const quoted = context.items.flatMap((item) => (isNote(item) ? [] : item.sources));
      const sent = new Set(quoted.filter((id) => quotable.has(id)));
      const notes = context.items.filter(
        ({ kind, factId = '' }) => (kind === 'profile' || kind === 'fact') && Number(factId.at(-1)) % 2 === 0,
      );
      for (const { sources } of notes) expect(sources.filter((id) => sent.has(id))).toEqual([]);
    });
  });

  it('REC-28: a fact is listed beside its message if the message lacks the name, is outdated, or the user entered the fact', () => {
    const message = spoken('He also directed Memento.', 1);
    const kinds = (more: Partial<ContextNote>, outdated?: { quote: string; since: number }): string[] => {
      const fact = { text: 'Nolan directed Memento', sources: [message.id], createdAt: 0, score: 1, why: {} };
      const found = { messages: [message], score: 1, why: {}, ...(outdated ? { outdated: [outdated] } : {}) };
      const given = { ...EMPTY, maxTokens: 2000, found: [found], facts: [{ ...fact, factId: 'f', ...more }] };
      return assemble(given).items.map(({ kind }) => kind);
    };
    expect(kinds({ saidBy: ['memento'] })).toEqual(['recalled']);
    expect(kinds({ saidBy: ['nolan', 'memento'] })).toEqual(['fact', 'recalled']);
    expect(kinds({ saidBy: ['memento'] }, { quote: 'Memento', since: 1 })).toEqual(['fact', 'recalled']);
    expect(kinds({})).toEqual(['fact', 'recalled']);
  });

  it('REC-29: a sentence of the summary is not repeated elsewhere', () => {
    const told = { sources: ['m'], turnId: 't', createdAt: 0, score: 1, why: {} };
    const note = (text: string): ContextNote => ({ ...told, text, claims: [{ id: text, text }] });
    const summary = { ...told, sources: [], text: '- 2026-03-02: I live in Rome.\n- 2026-03-03: I sing.' };
    const given = {
      ...EMPTY,
      maxTokens: 2000,
      summary,
      profile: [note('I live in Rome.'), note('I row.')],
      stated: [{ ...note('I sing.'), turnId: 'u' }],
    };
    expect(assemble(given).items.map(({ kind, text }) => [kind, text])).toEqual([
      ['profile', 'I row.'],
      ['summary', summary.text],
    ]);
  });

  it('GATE-11: for a question that hardly asks for memory, facts and old turns are limited in number and tokens', () => {
    property((context, given) => {
      if (!given.reach || context.overBudget) return;
      const { maxTurns, maxTokens } = given.reach;
      const asked = context.items.filter(({ kind }) => kind === 'recalled' || kind === 'fact');
      expect(asked.filter(({ kind }) => kind === 'recalled').length).toBeLessThanOrEqual(maxTurns);
      if (maxTokens === 0) expect(asked).toEqual([]);
      const bare = assemble({ ...given, facts: [], found: [] });
      expect(context.tokens - bare.tokens).toBeLessThanOrEqual(maxTokens);
    });
  });

  it('PROF-5: the profile and its title stay within its token limit and a quarter of the budget', () => {
    property((context, given) => {
      const texts = context.items.flatMap((item) => (item.kind === 'profile' ? [item.text] : []));
      if (texts.length === 0) return;
      const limit = Math.min(given.profileTokens, given.maxTokens / 4);
      expect(tokenizer.countText(quoteNotes('', texts))).toBeLessThanOrEqual(limit);
    });
  });

  it('REC-11: turns without a summary are sent while they fit, newest first', () => {
    property((context, given) => {
      if (!given.areUncovered || context.overBudget) return;
      const sendable = given.raw.filter((turn) => turn.some((message) => message.role !== 'system'));
      const sent = context.items.filter((item) => item.kind === 'recent').map((item) => item.turnId);
      const all = sendable.map((turn) => turn[0]?.turnId);
      const isEnd = sent.every((turnId) => all.includes(turnId));
      expect(isEnd).toBe(true);
      const roomy = assemble({ ...given, maxTokens: 1e6 });
      expect(roomy.items.filter((item) => item.kind === 'recent').length).toBeGreaterThanOrEqual(sent.length);
      const window = roomy.messages.slice(1, -1);
      for (const turn of given.raw) {
        const said = turn.find((message) => message.role === 'user' && messageText(message) !== '');
        if (said) expect(allText([...window, ...roomy.messages.slice(-1)])).toContain(messageText(said));
      }
    }, 60);
  });
});

function isNote(item: { kind: string }): boolean {
  return item.kind === 'pinned' || item.kind === 'profile' || item.kind === 'summary' || item.kind === 'fact';
}

/** Without what quoting adds, and without what could be taken for a mark, which quoting breaks up. */
function unquoted(text: string): string {
  return text.replaceAll(/[^a-zA-Z狗叫麦克斯]+/g, '');
}
