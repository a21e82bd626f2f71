/** Option of the memories that put remembered text into a prompt. */
export interface FenceOption {
  /**
   * Whether remembered text is quoted as data: line by line, between two unpredictable marks, after a sentence that
   * explains this to the model, and never in a system message. Without it, text that was pasted into the conversation
   * can come back as an instruction of the page.
   *
   * The marks differ with each load, so an endpoint's prompt cache does not apply to the text after them.
   *
   * @default false, as in LangChain
   */
  fence?: boolean;
}

/** Remembered text, fenced as data. */
export interface FencedMemory {
  /** Instructions for a model on how to read it; contains no remembered text. */
  readonly notice: string;
  readonly text: string;
}

/** Quotes texts under a title between marks of their own. */
export async function fenceMemory(title: string, texts: readonly string[]): Promise<FencedMemory> {
  const { fence, FENCE_NOTICE, quoteNotes } = await import('../../recall/layout/fence.ts');
  const { randomMark } = await import('../../recall/layout/fence-marks.ts');
  return { notice: FENCE_NOTICE, text: fence(randomMark(), [quoteNotes(title, texts)]) };
}

/** Returns one text of notice and fence; empty if nothing is remembered. */
export async function fencedText(title: string, texts: readonly string[]): Promise<string> {
  if (texts.every((text) => text === '')) return '';
  const { notice, text } = await fenceMemory(title, texts);
  return `${notice}\n${text}`;
}
