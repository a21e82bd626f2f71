import { splitSentences } from '../../../src/language/sentences.ts';
import { SHARES } from '../../../src/recall/layout/budget-shares.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type ChatMessage,
  isSearchable,
  messageText,
  type StoredMessage,
} from '../../../src/model/message.ts';
import {
  type ContextItem,
  type ContextNote,
  type RecalledContext,
} from '../../../src/recall/layout/context-item.ts';
import { isQuotable, quoteNotes } from '../../../src/recall/layout/fence.ts';
import { recentWindow } from '../../../src/recall/layout/recent-window.ts';
import { duplicateKey } from '../../../src/recall/index/indexed-text.ts';
import { tiktokenTokenizer } from '../../../src/tokens/tiktoken.ts';
import type { Tokenizer } from '../../../src/tokens/tokenizer.ts';
import {
  anyInput,
  assemble,
  counted,
  explain,
  toInput,
  tokenizer,
  type Given,
} from '../../fixtures/context-input.ts';

const RUNS = 200;
const NO_LIMIT = 1e9;
const real = await tiktokenTokenizer();

function always(body: (given: Given, context: RecalledContext) => void): void {
  fc.assert(
    fc.property(anyInput, (given) => body(given, assemble(given))),
    { numRuns: RUNS },
  );
}

/** Counted from scratch, by the documented prices of a message. */
function tokensOf(messages: readonly ChatMessage[], { countText }: Tokenizer): number {
  let tokens = 3;
  for (const message of messages) {
    tokens += 3 + countText(messageText(message));
    if ('name' in message && message.name !== undefined) tokens += 1 + countText(message.name);
    if (message.role === 'tool') tokens += countText(message.tool_call_id);
    for (const call of (message.role === 'assistant' && message.tool_calls) || []) {
      const { name, arguments: given } = call.function;
      tokens += 3 + [call.id, name, given].reduce((sum, text) => sum + countText(text), 0);
    }
    if (Array.isArray(message.content)) {
      tokens += 85 * message.content.filter((part) => part.type === 'image_url').length;
    }
  }
  return tokens;
}

function of(context: RecalledContext, kind: ContextItem['kind']): ContextItem[] {
  return context.items.filter((item) => item.kind === kind);
}

/** What a second fence with a title costs at most. */
const FENCE_TOKENS = 100;

/** What a context of exactly these parts costs. */
function costOf(given: Given, parts: Partial<Given>): number {
  const nothing = { pinned: [], profile: [], facts: [], found: [], raw: [], summary: undefined };
  const limits = { areUncovered: true, maxTokens: NO_LIMIT, profileTokens: NO_LIMIT };
  return assemble({ ...given, ...nothing, ...parts, ...limits }).tokens;
}

/** The parts of what was given that are in a context. */
function keptOf(
  given: Given,
  context: RecalledContext,
): Pick<Given, 'pinned' | 'profile' | 'facts' | 'raw' | 'found'> & { summary: ContextNote | undefined } {
  const notes = new Set(context.items.map((item) => item.factId));
  const isIn = (kind: 'recent' | 'recalled', [first]: readonly StoredMessage[]): boolean =>
    of(context, kind).some((item) => item.turnId === first?.turnId);
  const [summary] = of(context, 'summary');
  return {
    pinned: given.pinned.filter((note) => notes.has(note.factId)),
    profile: given.profile.filter((note) => notes.has(note.factId)),
    summary: given.summary && summary ? { ...given.summary, text: summary.text } : undefined,
    raw: given.raw.filter((turn) => isIn('recent', turn)),
    facts: given.facts.filter((note) => notes.has(note.factId)),
    found: given.found.filter((each) => isIn('recalled', each.messages)),
  };
}

function asGood<T extends { score: number }>(all: readonly T[], as: T): T[] {
  return all.filter((each) => each.score >= as.score);
}

describe('assembleContext, in a thousand cases', { timeout: 240_000 }, () => {
  it('REC-7: the reported tokens match a new count and exceed the budget only with overBudget', () => {
    always(({ maxTokens, input }, context) => {
      expect(context.tokens).toBe(tokensOf(context.messages, tokenizer));
      // The real one takes its time: long requests are left to the copy, which short ones are checked with.
      if (context.tokens < 400) expect(context.tokens).toBe(tokensOf(context.messages, real));
      expect(context.overBudget).toBe(context.tokens > maxTokens);
      if (!context.overBudget) return;
      expect(context.messages.map((message) => message.role)).toEqual(['system', 'user']);
      expect(context.messages[1]?.content).toBe(input);
      expect(context.items).toEqual([]);
    });
  });

  it('REC-12: turns are whole, including tool calls and results, and no turn is both sent and quoted', () => {
    always((given, context) => {
      const sent = JSON.stringify(context.messages.slice(1));
      const original = (id = ''): string => id.replace('-again', '');
      const has = ({ id, content }: StoredMessage): boolean =>
        messageText({ content }) !== '' && sent.includes(`#${original(id)}#`);
      const quoted = new Set(of(context, 'recalled').map((item) => item.turnId));
      const quotes = given.found.filter(({ messages }) => quoted.has(idOf(messages)));
      const isQuoted = new Set(quotes.flatMap(({ messages }) => messages.map(({ id }) => original(id))));
      for (const turn of given.raw.filter(([first]) => !isQuoted.has(original(first?.id)))) {
        const said = turn.filter(({ role, content }) => role !== 'system' && messageText({ content }) !== '');
        const whole = areAnswered(turn) ? said : said.filter(({ role }) => role !== 'tool');
        expect([0, whole.length]).toContain(whole.filter(has).length);
      }
      for (const { messages } of given.found) {
        const said = messages.filter(
          ({ role, content }) => role !== 'system' && messageText({ content }) !== '',
        );
        if (!quoted.has(messages[0]?.turnId ?? '')) continue;
        const own = said.filter(({ role }) => role === 'user');
        expect([own, said]).toContainEqual(said.filter(has));
      }
      const turnIds = context.items.flatMap((item) => item.turnId || []);
      expect(new Set(turnIds).size).toBe(turnIds.length);
    });
  });

  it('REC-9: an item is left out only where it would not fit in place of everything after it', () => {
    always((any) => {
      const given = unlimited(any);
      const context = assemble(given);
      if (context.overBudget) return;
      const { maxTokens } = given;
      const { pinned, profile, summary, raw, facts, found } = keptOf(given, context);
      const isShared = (limit: number, before: Partial<Given>): number =>
        Math.min(maxTokens, costOf(given, before) + maxTokens * limit);
      for (const note of without(given.pinned, pinned)) {
        const cost = costOf(given, { pinned: [...asGood(pinned, note), note] });
        expect(cost).toBeGreaterThan(isShared(SHARES.pinned + SHARES.profile, {}));
        // A smaller one that is worth less may have used the share.
        const beside = costOf(given, { pinned: [...pinned, note], profile, summary, raw });
        expect(beside).toBeGreaterThan(maxTokens - FENCE_TOKENS);
      }
      if (/<memory-f[^]*^\[Pinned facts\]$/mu.test(context.text)) return; // beyond their share: costs differ
      for (const note of without(given.profile, profile)) {
        const share = Math.min(SHARES.profile, given.profileTokens / maxTokens);
        const cost = costOf(given, { pinned, profile: [...asGood(profile, note), note] });
        const both = isShared(SHARES.pinned + SHARES.profile, {});
        expect(cost).toBeGreaterThan(Math.min(both, isShared(share, { pinned })));
      }
      if (given.summary && summary?.text !== given.summary.text) {
        const longer = { ...given.summary, text: oneMore(given.summary.text, summary?.text ?? '') };
        const block = quoteNotes('Summary of the conversation until here', [longer.text]);
        const isOverShare = tokenizer.countText(block) > maxTokens * SHARES.summary;
        expect(isOverShare || costOf(given, { pinned, profile, summary: longer }) > maxTokens).toBe(true);
      }
      const window = { pinned, profile, summary, raw };
      const first = raw[0] ? given.raw.indexOf(raw[0]) : given.raw.length;
      // With those between of which nothing is sent: they keep the calls before them from the results after them.
      const cost = costOf(given, { ...window, raw: given.raw.slice(first) });
      for (let start = given.raw.length - wantedTurns(given); start < first; start += 1) {
        const longer = costOf(given, { pinned, profile, summary, raw: given.raw.slice(start) });
        expect(longer === cost || longer > maxTokens).toBe(true); // equal: turns with nothing to send
      }
      for (const note of without(given.facts, facts)) {
        const limit = isShared(SHARES.facts, window);
        expect(costOf(given, { ...window, facts: [...asGood(facts, note), note] })).toBeGreaterThan(limit);
      }
      const said = [...raw, ...found.map((each) => each.messages)].map(duplicateKey);
      for (const each of without(given.found, found)) {
        const isThere = raw.some((turn) => turn[0]?.turnId === idOf(each.messages));
        if (isThere || !each.messages.some(isQuotable) || said.includes(duplicateKey(each.messages)))
          continue;
        const trial = { ...window, facts, found: [...asGood(found, each), each] };
        expect(costOf(given, trial)).toBeGreaterThan(maxTokens);
      }
    });
  });

  it('REC-20: the same state gives the same bytes, in any order of facts and found turns', () => {
    always((given, context) => {
      const { pinned, profile, facts, found, ...rest } = structuredClone(given);
      const reversed = {
        pinned: pinned.toReversed(),
        profile: profile.toReversed(),
        facts: facts.toReversed(),
        found: found.toReversed(),
      };
      expect(JSON.stringify(assemble({ ...rest, ...reversed }))).toBe(JSON.stringify(context));
    });
  });

  it('REC-33: each candidate is named once, excluded ones with a reason and included ones as sent', () => {
    always((given, context) => {
      const candidates = explain(toInput(given));
      const isIn = candidates.filter((each) => each.isIncluded);
      expect(isIn).toEqual(context.items.map((item) => ({ ...item, isIncluded: true, reason: 'sent' })));
      const names = candidates.map(({ kind, factId, turnId }) => factId ?? (turnId || kind));
      expect(new Set(names).size).toBe(names.length);
      const spokenTurns = [...given.raw, ...given.found.map((each) => each.messages)].filter((turn) =>
        turn.some(isSearchable),
      );
      const notes = [...given.pinned, ...given.profile, ...given.facts].map((note) => note.factId);
      const all = new Set([...notes, ...(given.summary ? ['summary'] : []), ...spokenTurns.map(idOf)]);
      expect(names).toEqual(expect.arrayContaining([...all]));
      const { raw, found } = keptOf(given, context);
      const said = [...raw, ...found.map((each) => each.messages.filter(isQuotable))].map(duplicateKey);
      const ranked = new Map(given.found.map((each) => [idOf(each.messages), each]));
      const recent = recentTurnsOf(given).map(idOf);
      const quotes = context.items.filter(({ kind }) => kind === 'recent' || kind === 'recalled');
      const texts = [...given.raw, ...given.found.map((each) => each.messages)].flat().filter(isQuotable);
      const quotable = new Set(texts.map(({ id }) => id));
      const sent = new Set(quotes.flatMap((item) => item.sources.filter((id) => quotable.has(id))));
      for (const { kind, turnId, reason, score, sources, factId } of candidates.filter(
        (each) => !each.isIncluded,
      )) {
        const foundTurn = ranked.get(turnId);
        if (foundTurn) {
          expect({ kind, score }).toEqual({ kind: 'recalled', score: foundTurn.score });
          const isSaid = said.includes(duplicateKey(foundTurn.messages.filter(isQuotable)));
          expect(reason).toBe(isSaid ? 'repeated' : given.reach ? 'gated' : 'no-room');
        } else if (kind === 'profile' || kind === 'fact') {
          // Those with an odd number say more than their messages.
          const isSaid = Number(factId?.at(-1)) % 2 === 0 && sources.some((id) => sent.has(id));
          expect(reason).toBe(isSaid ? 'repeated' : given.reach && kind === 'fact' ? 'gated' : 'no-room');
        } else {
          const isPast = kind === 'recent' && !recent.includes(turnId);
          expect(reason).toBe(isPast ? 'left-window' : 'no-room');
        }
      }
    });
  });
});

/** Whether each tool call has its one result right behind it, and each result its call. */
function areAnswered(turn: readonly StoredMessage[]): boolean {
  let open: string[] = [];
  for (const message of turn.filter(({ role }) => role !== 'system')) {
    if (message.role === 'tool') {
      if (!open.includes(message.tool_call_id)) return false;
      open = open.filter((id) => id !== message.tool_call_id);
      continue;
    }
    if (open.length > 0) return false;
    if (message.role === 'assistant') open = (message.tool_calls ?? []).map((call) => call.id);
    if (new Set(open).size < open.length) return false;
  }
  return open.length === 0;
}

function idOf(turn: readonly StoredMessage[]): string {
  return turn[0]?.turnId ?? '';
}

/** Without what leaves something out that would fit. */
function unlimited({ reach: _reach, ...given }: Given): Given {
  const free = (notes: readonly ContextNote[]): ContextNote[] =>
    notes.map((note) => ({ ...note, sources: [] }));
  return { ...given, profile: free(given.profile), facts: free(given.facts) };
}

/** Those that the window may hold, whatever the budget. */
function recentTurnsOf({ raw, recentTurns, areUncovered }: Given): StoredMessage[][] {
  if (areUncovered) return raw;
  return raw.slice(raw.length - recentWindow(counted(raw), { recentTurns, maxTokens: Infinity }).length);
}

function without<T>(all: readonly T[], kept: readonly T[]): T[] {
  return all.filter((each) => !kept.includes(each));
}

/** How many of the newest turns go into the window where the whole budget allows it. */
function wantedTurns({ raw, areUncovered, recentTurns, maxTokens }: Given): number {
  const turns = counted(raw);
  const limits = { recentTurns, maxTokens: Math.floor(maxTokens * SHARES.recent) };
  const wanted = areUncovered
    ? newestWithin(turns, maxTokens * SHARES.uncovered)
    : recentWindow(turns, limits).length;
  return wanted === 0 && recentTurns > 0 ? Math.min(1, turns.length) : wanted;
}

function newestWithin(turns: readonly { tokens: number }[], maxTokens: number): number {
  let tokens = 0;
  return turns.toReversed().filter((turn) => (tokens += turn.tokens) <= maxTokens).length;
}

/** The same summary with one more sentence. */
function oneMore(whole: string, kept: string): string {
  const sentences = splitSentences(whole)
    .map((each) => each.trim())
    .filter((each) => each !== '');
  const count = sentences.findIndex((_sentence, at) => sentences.slice(0, at).join(' ') === kept) + 1;
  return count === sentences.length ? whole : sentences.slice(0, count).join(' ');
}
