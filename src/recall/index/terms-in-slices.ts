import { analyze, type Analyze } from '../../language/terms.ts';
import { yieldToEventLoop } from '../../model/event-loop.ts';
import { slicesOf } from '../../tokens/slices.ts';

/** Characters of a message analyzed without a pause. */
const CHARACTERS_AT_ONCE = 16_384;
/**
 * Maximum number of distinct terms of a message; further ones are not indexed. A book has fewer, and adding random
 * characters to the index would block the page.
 */
const MAX_MESSAGE_TERMS = 50_000;

/** Returns the terms of a long text, and yields to the event loop while it is analyzed; a short text is returned as it is. */
export async function termsInSlices(
  text: string,
  analyzeText: Analyze = analyze,
): Promise<string | string[]> {
  if (text.length <= CHARACTERS_AT_ONCE) return text;
  const terms: string[] = [];
  const distinct = new Set<string>();
  let characters = 0;
  for (const slice of slicesOf(text)) {
    for (const term of analyzeText(slice)) {
      if (distinct.size < MAX_MESSAGE_TERMS) distinct.add(term);
      if (distinct.has(term)) terms.push(term);
    }
    characters += slice.length;
    if (characters < CHARACTERS_AT_ONCE) continue;
    await yieldToEventLoop();
    characters = 0;
  }
  return terms;
}
