import { MnemoraError, type ForgetReceipt, type Memory } from '../../../index.ts';
import { findMatches, type ForgetMatch } from './forget-matches.ts';
import type { ConfirmForget, ForgetAnswer, ForgetRequest } from './forget-request.ts';
import { errorText } from './tool-answer.ts';
import { untilAborted } from '../until-aborted.ts';
import { raiseWarning } from '../../../model/memory-warnings.ts';

const KEPT_TURNS =
  'The facts were forgotten. The messages that state them were kept. If the user wants these to be forgotten too, call this tool again with the same query.';
const HAS_MORE =
  'There are more matches. If the user wants all of them to be forgotten, call this tool again.';

/** Finds the matches of a query, asks the page for confirmation, and forgets what was confirmed. */
export async function forgetConfirmed(
  memory: Memory,
  confirm: ConfirmForget,
  query: string,
  signal: AbortSignal | undefined,
): Promise<ForgetAnswer> {
  signal?.throwIfAborted();
  const { matches, hasMore } = await findMatches(memory, query, signal);
  if (matches.length === 0) return { found: 0 };
  const receipt = await previewAll(memory, matches, signal);
  const request = { query, matches, receipt, hasMore, ...(signal ? { signal } : {}) };
  if (!(await isConfirmed(memory, confirm, request))) return { refused: true };
  let forgotten = 0;
  for (const match of matches) {
    try {
      if (await forgetMatch(memory, match, signal)) forgotten++;
    } catch (cause) {
      if (forgotten === 0 || signal?.aborted === true) throw cause;
      raiseWarning(memory, { code: 'memory-skipped', message: 'Not everything could be forgotten.', cause });
      return { forgotten, error: errorText(cause) };
    }
  }
  const notes = [...(matches[0]?.kind === 'fact' ? [KEPT_TURNS] : []), ...(hasMore ? [HAS_MORE] : [])];
  return { forgotten, ...(notes.length > 0 ? { note: notes.join(' ') } : {}) };
}

async function previewAll(
  memory: Memory,
  matches: readonly ForgetMatch[],
  signal: AbortSignal | undefined,
): Promise<ForgetReceipt> {
  const sum: Partial<Record<keyof ForgetReceipt, number>> = {};
  for (const match of matches) {
    const receipt = await memory.forget(selectorOf(match), { preview: true, ...(signal ? { signal } : {}) });
    for (const [name, count] of Object.entries(receipt) as [keyof ForgetReceipt, number][])
      sum[name] = (sum[name] ?? 0) + count;
  }
  return sum as ForgetReceipt;
}

async function isConfirmed(memory: Memory, confirm: ConfirmForget, request: ForgetRequest): Promise<boolean> {
  const { signal } = request;
  try {
    const answer: unknown = await untilAborted(
      Promise.resolve().then(() => confirm(request)),
      signal,
    );
    return answer === true;
  } catch (cause) {
    signal?.throwIfAborted();
    raiseWarning(memory, {
      code: 'memory-skipped',
      message: 'confirmForget threw an error, so nothing was forgotten.',
      cause,
    });
    return false;
  }
}

/** Resolves to whether something was erased: another tab may have been faster. */
async function forgetMatch(
  memory: Memory,
  match: ForgetMatch,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  try {
    const { facts, turns } = await memory.forget(selectorOf(match), signal ? { signal } : {});
    return facts + turns > 0;
  } catch (cause) {
    if (cause instanceof MnemoraError && cause.code === 'not-found') return false;
    throw cause;
  }
}

function selectorOf(match: ForgetMatch): { factId: string } | { turnId: string } {
  return match.kind === 'fact' ? { factId: match.fact.id } : { turnId: match.turnId };
}
