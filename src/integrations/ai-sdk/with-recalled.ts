import type { ContentPart, RecalledContext } from '../../index.ts';
import { describe } from '../../model/describe.ts';
import { invalidOption } from '../../model/error.ts';
import type { RecallLimits } from './recall-limits.ts';
import {
  partsOf,
  textOf,
  toPrompt,
  type ModelVersion,
  type PromptMessage,
  type PromptPart,
} from './prompt-messages.ts';

/** Recalled text that is put into every request of a turn. */
export interface Recalled {
  /** A line that explains the fenced text. Sent even if there is none, so that the system text is always the same. */
  readonly notice: string;
  /** Fenced text that precedes the question, including the empty line after it. */
  readonly fenced: string;
  /** Recent turns of the session, if the page does not send them itself. */
  readonly recent: readonly PromptMessage[];
}

/**
 * Returns what a context adds to a question; undefined if it is not a context of `recall`.
 *
 * @param prompt makes the text before the question: see `RecallLimits`
 */
export function recalledFrom(
  context: RecalledContext,
  question: string,
  version: ModelVersion,
  prompt: RecallLimits['prompt'],
): Recalled | undefined {
  const [system, ...others] = context.messages;
  const last = others.pop();
  if (system?.role !== 'system' || last?.role !== 'user') return undefined;
  // A stored message that nobody has answered is joined with the question.
  const before = [...partsOf(last)] as ContentPart[];
  const { text } = before.pop() ?? {};
  if (typeof text !== 'string') return undefined;
  const fenced = text.slice(0, text.length - question.toWellFormed().length);
  const unanswered = before.length > 0 ? [{ ...last, content: before }] : [];
  const recent = toPrompt([...others, ...unanswered], version);
  if (prompt) {
    const own: unknown = context.text === '' ? '' : prompt(context);
    if (typeof own !== 'string') throw invalidOption(`prompt must return a string, not ${describe(own)}.`);
    return { notice: '', fenced: own === '' ? '' : `${own}\n\n`, recent };
  }
  return { notice: system.content, fenced, recent };
}

/**
 * Returns the prompt with what was recalled for the user message at `index`: the notice after the page's system text,
 * recent turns after that, and the fenced text as a part of its own before the question. The page's own messages are
 * not changed.
 */
export function withRecalled(
  prompt: readonly PromptMessage[],
  index: number,
  { notice, fenced, recent }: Recalled,
): PromptMessage[] {
  const asked = prompt[index];
  const turns = prompt.findIndex(({ role }) => role !== 'system');
  const fence: PromptPart[] = fenced === '' ? [] : [{ type: 'text', text: fenced }];
  return [
    ...withNotice(prompt.slice(0, turns), notice),
    ...recent,
    ...prompt.slice(turns, index),
    ...(asked && typeof asked.content !== 'string'
      ? [{ ...asked, content: [...fence, ...asked.content] }]
      : []),
    ...prompt.slice(index + 1),
  ];
}

function withNotice(system: readonly PromptMessage[], notice: string): PromptMessage[] {
  const last = system.at(-1);
  if (notice === '') return [...system];
  if (!last) return [{ role: 'system', content: notice }];
  return [...system.slice(0, -1), { ...last, content: `${textOf(partsOf(last))}\n\n${notice}` }];
}
