import { chooseParts, inPriority, NOTHING, type AssembleInput } from './assemble-context.ts';
import type { ContextItem, ContextNote } from './context-item.ts';
import { layOut, turnIdOf, type ContextParts, type CountedTurn, type FoundTurn } from './context-layout.ts';
import { recentWindow } from './recent-window.ts';
import { saidOnce } from './said-once.ts';
import { duplicateKey } from './duplicate-key.ts';

/** Something that could have gone into a context. */
export interface ContextCandidate extends ContextItem {
  readonly isIncluded: boolean;
  /**
   * `sent`: it is in. `no-room`: it does not fit beside what comes before it, or its kind's share is used up.
   * `repeated`: something that is in says the same. `gated`: the question does not ask for it, as far as can be told,
   * or hardly. `left-window`: a turn of this session that is no longer among the
   * recent ones, and that search has not found.
   */
  /** Of what is gated: how sure it is that memory has something to say, from 0 to 1, and what speaks for and against it. */
  readonly gate?: { readonly score: number; readonly why: Readonly<Record<string, number>> };
  readonly reason: 'sent' | 'no-room' | 'repeated' | 'gated' | 'left-window';
}

/**
 * All that is considered for a context, once each, and whether it got in: first what is sent, exactly the items of the
 * context, then what is not; both in the order of the prompt. Pure.
 */
export function explainContext(input: AssembleInput): ContextCandidate[] {
  const given = inPriority(input);
  const parts = chooseParts(given) ?? NOTHING;
  const out = leftOut(given, parts);
  const repeated = new Set(repeatedIn(out.recalled, parts).map(turnIdOf));
  const passed = new Set(passedBy(given).map(turnIdOf));
  const once = saidOnce({ ...parts, profile: out.profile, facts: out.facts });
  const untold = { profile: namesOf(once.profile), fact: namesOf(once.facts) };
  const reasonOf = (item: ContextItem): ContextCandidate['reason'] => {
    const { kind, turnId } = item;
    if (kind === 'recalled' && repeated.has(turnId)) return 'repeated';
    if ((kind === 'profile' || kind === 'fact') && !untold[kind].has(nameOf(item))) return 'repeated';
    if ((kind === 'recalled' || kind === 'fact') && given.reach) return 'gated';
    return kind === 'recent' && passed.has(turnId) ? 'left-window' : 'no-room';
  };
  return [
    ...layOut(given, parts).items.map((item) => ({ ...item, isIncluded: true, reason: 'sent' }) as const),
    ...layOut(given, out).items.map((item) => {
      const reason = reasonOf(item);
      const gate =
        reason === 'gated' && given.gate ? { score: given.gate.score, why: given.gate.why } : undefined;
      return { ...item, isIncluded: false, reason, ...(gate ? { gate } : {}) };
    }),
  ];
}

function namesOf(notes: readonly ContextNote[]): ReadonlySet<string> {
  return new Set(notes.map(nameOf));
}

/** What tells a note from others of its kind. */
function nameOf({ factId, text }: Pick<ContextNote, 'factId' | 'text'>): string {
  return factId ?? text;
}

/** A turn that is not in the window and was found is a candidate as found. */
function leftOut(given: AssembleInput, parts: ContextParts): ContextParts {
  const sent = new Set([
    ...[...parts.window, ...parts.recalled].map(turnIdOf),
    ...parts.stated.map(({ turnId }) => turnId),
  ]);
  const recalled = given.found.filter((turn) => !sent.has(turnIdOf(turn)));
  const found = new Set(given.found.map(turnIdOf));
  return {
    pinned: given.pinned.filter((note) => !parts.pinned.includes(note)),
    profile: given.profile.filter((note) => !parts.profile.includes(note)),
    ...(given.summary && !parts.summary ? { summary: given.summary } : {}),
    gap: [],
    window: given.turns.filter((turn) => !sent.has(turnIdOf(turn)) && !found.has(turnIdOf(turn))),
    facts: given.facts.filter((note) => !parts.facts.includes(note)),
    stated: [],
    recalled,
  };
}

function repeatedIn(out: readonly FoundTurn[], { window, recalled }: ContextParts): readonly FoundTurn[] {
  const said = new Set([...window, ...recalled].map(({ messages }) => duplicateKey(messages)));
  said.delete(''); // turns without any word have none in common
  return out.filter(({ messages }) => said.has(duplicateKey(messages)));
}

/** Turns that the window has moved past, whatever the budget. */
function passedBy({ areUncovered, turns, recentTurns }: AssembleInput): readonly CountedTurn[] {
  if (areUncovered) return [];
  const window = recentWindow(turns, { recentTurns, maxTokens: Infinity });
  return turns.filter((turn) => !window.includes(turn));
}
