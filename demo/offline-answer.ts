import type { ChatMemory, LLM, SearchResult } from '../src/index.ts';
import { longTime } from './format.ts';
import { messageText } from './turns.ts';

/**
 * Stands in where no model is connected: answers `input` by quoting what the memory holds on it.
 * Only what the user wrote is quoted, because answers made here are quotes themselves.
 */
export function offlineAnswer(memory: ChatMemory, input: string): LLM {
  return async ({ signal, onToken }) => {
    const hits = await memory.search(input, { k: CANDIDATES, ...(signal ? { signal } : {}) });
    const text = compose(pick(hits, input), isQuestion(input));
    for (const word of text.match(/\S+\s*/g) ?? []) {
      signal?.throwIfAborted();
      onToken?.(word);
    }
    return { text };
  };
}

const CANDIDATES = 24;
const MAX_QUOTES = 3;
/** What fits less than this share as well as the best is left out. */
const ENOUGH = 0.5;

function pick(hits: readonly SearchResult[], input: string): SearchResult[] {
  const seen = new Set([input.trim().toLowerCase()]);
  const quotable = hits.filter((hit) => {
    const text = messageText(hit).trim().toLowerCase();
    if (hit.role !== 'user' || hit.state !== 'complete' || text === '' || seen.has(text)) return false;
    // Nobody asked: what only sounds alike is not worth repeating.
    if (!isQuestion(input) && !((hit.parts['keyword'] ?? 0) > 0)) return false;
    seen.add(text);
    return true;
  });
  const best = Math.max(0, ...quotable.map(fit));
  return quotable.filter((hit) => fit(hit) >= best * ENOUGH).slice(0, MAX_QUOTES);
}

/** How well a message fits the question, whatever it says by itself. */
function fit({ parts }: SearchResult): number {
  return (parts['keyword'] ?? 0) + (parts['nearby'] ?? 0) + (parts['vector'] ?? 0) + (parts['graph'] ?? 0);
}

function compose(hits: readonly SearchResult[], asked: boolean): string {
  if (hits.length === 0)
    return asked ? 'I remember nothing on this yet.' : 'Noted. I remember nothing else on this yet.';
  const told = `You told me ${hits.length === 1 ? 'this' : 'these'} before:`;
  const lead = asked ? told : `Noted. ${told}`;
  return [lead, ...hits.map(quote)].join('\n\n');
}

function isQuestion(input: string): boolean {
  return /[?？؟]\s*$/.test(input);
}

function quote(hit: SearchResult): string {
  const lines = messageText(hit)
    .split('\n')
    .map((line) => `> ${line}`);
  return [...lines, '>', `> *${longTime(hit.createdAt)}*`].join('\n');
}
