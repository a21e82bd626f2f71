import type { Steps } from '../../model/event-loop.ts';
import { duplicateKey } from '../index/indexed-text.ts';
import { chooseParts, inPriority, isTold, NOTHING, type AssembleInput } from './assemble-context.ts';
import type { ContextItem, ContextNote } from './context-item.ts';
import { itemsOf, turnIdOf, type ContextParts, type CountedTurn, type FoundTurn } from './context-layout.ts';
import { recentWindow } from './recent-window.ts';
import { saidOnce } from './without-repeats.ts';

/** A candidate for the context, with the reason why it was sent or left out. */
export interface ContextCandidate extends ContextItem {
  readonly isIncluded: boolean;
  /**
   * `sent`: part of the context. `no-room`: the budget, or the share of its kind, is used up. `repeated`: the context
   * already says the same. `gated`: the question does not seem to need memory. `request`: the user only asks for something
   * in this turn, which has too few words of the question. `left-window`: a turn of this session that is no longer among
   * the recent ones and that search did not find.
   */
  readonly reason: 'sent' | 'no-room' | 'repeated' | 'gated' | 'request' | 'left-window';
  /** For `gated`: probability that memory helps with the question, from 0 to 1, and each feature's contribution to it. */
  readonly gate?: { readonly score: number; readonly why: Readonly<Record<string, number>> };
}

/**
 * Returns every candidate for a context once: first those sent, which are exactly the items of the context, then those
 * left out, both in the order of the prompt. Pure.
 */
export function* explainContext(input: AssembleInput): Steps<ContextCandidate[]> {
  const given = inPriority(input);
  const parts = (yield* chooseParts(given)) ?? NOTHING;
  yield;
  const out = leftOut(given, parts);
  const repeated = new Set(repeatedIn(out.recalled, parts).map(turnIdOf));
  const passed = new Set(passedBy(given).map(turnIdOf));
  const once = saidOnce({ ...parts, profile: out.profile, facts: out.facts });
  const requests = new Set(out.recalled.filter((turn) => !isTold(turn)).map(turnIdOf));
  const untold = { profile: namesOf(once.profile), fact: namesOf(once.facts) };
  const reasonOf = (item: ContextItem): ContextCandidate['reason'] => {
    const { kind, turnId } = item;
    if (kind === 'recalled' && repeated.has(turnId)) return 'repeated';
    if ((kind === 'profile' || kind === 'fact') && !untold[kind].has(nameOf(item))) return 'repeated';
    if ((kind === 'recalled' || kind === 'fact') && given.reach) return 'gated';
    if (kind === 'recalled' && requests.has(turnId)) return 'request';
    return kind === 'recent' && passed.has(turnId) ? 'left-window' : 'no-room';
  };
  return [
    ...itemsOf(parts, given.tokenizer).map(
      (item) => ({ ...item, isIncluded: true, reason: 'sent' }) as const,
    ),
    ...itemsOf(out, given.tokenizer).map((item) => {
      const reason = reasonOf(item);
      const gate =
        reason === 'gated' && given.gate ? { score: given.gate.score, why: given.gate.why } : undefined;
      return { ...item, isIncluded: false, reason, ...(gate ? { gate } : {}) };
    }),
  ];
}

function isPinnedIn({ pinned, alsoPinned }: ContextParts, note: ContextNote): boolean {
  return pinned.includes(note) || alsoPinned.includes(note);
}

function namesOf(notes: readonly ContextNote[]): ReadonlySet<string> {
  return new Set(notes.map(nameOf));
}

/** Returns the identity of a note within its kind. */
function nameOf({ factId, text }: Pick<ContextNote, 'factId' | 'text'>): string {
  return factId ?? text;
}

/** Returns the candidates that are not in the context; a turn outside the window counts as found if search found it. */
function leftOut(given: AssembleInput, parts: ContextParts): ContextParts {
  const sent = new Set([
    ...[...parts.window, ...parts.recalled].map(turnIdOf),
    ...parts.stated.map(({ turnId }) => turnId),
  ]);
  const recalled = given.found.filter((turn) => !sent.has(turnIdOf(turn)));
  const found = new Set(given.found.map(turnIdOf));
  return {
    pinned: given.pinned.filter((note) => !isPinnedIn(parts, note)),
    alsoPinned: [],
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
  said.delete(''); // turns without words are not duplicates of each other
  return out.filter(({ messages }) => said.has(duplicateKey(messages)));
}

/** Returns the turns that the window has moved past, regardless of the budget. */
function passedBy({ areUncovered, turns, recentTurns }: AssembleInput): readonly CountedTurn[] {
  if (areUncovered) return [];
  const window = recentWindow(turns, { recentTurns, maxTokens: Infinity });
  return turns.filter((turn) => !window.includes(turn));
}
