/** Option of the memories that put what they remember into a prompt. */
export interface FenceOption {
  /**
   * Whether what is remembered is quoted as data, line by line between two marks that nobody can predict, after a sentence
   * that says so to the model, and in no system message. Without it, a text that somebody has pasted into the
   * conversation can come back as an instruction of the page.
   *
   * The marks differ with each load, so that an endpoint's prompt cache does not apply to what follows them.
   *
   * @default false, as LangChain's memories do
   */
  fence?: boolean;
}

/** Memory as data. */
export interface FencedMemory {
  /** Instructions for a model on how to read it; contains nothing that is remembered. */
  readonly notice: string;
  readonly text: string;
}

/** Quotes texts under a title between marks of their own. */
export async function fenceMemory(title: string, texts: readonly string[]): Promise<FencedMemory> {
  const { fence, FENCE_NOTICE, quoteNotes } = await import('../../recall/fence.ts');
  const { randomMark } = await import('../../recall/fence-marks.ts');
  return { notice: FENCE_NOTICE, text: fence(randomMark(), [quoteNotes(title, texts)]) };
}

/** Returns one text of notice and fence; empty if nothing is remembered. */
export async function fencedText(title: string, texts: readonly string[]): Promise<string> {
  if (texts.every((text) => text === '')) return '';
  const { notice, text } = await fenceMemory(title, texts);
  return `${notice}\n${text}`;
}
