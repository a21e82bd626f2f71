/** One conversation of a corpus of natural chats, as far as fitting reads it. */
export interface NaturalChat {
  id: string;
  messages: ChatLine[];
  facts: LabeledFact[];
  asks: Ask[];
}

export interface ChatLine {
  role: 'user' | 'assistant';
  content: string;
  at: string;
  session: string;
}

export interface LabeledFact {
  about: string[] | string;
  relation: string[];
  /** Every group is found in the object: any of its words. */
  object: string[][];
  /** False: it was true, and has ended or was corrected. */
  holds: boolean;
  /** Index of the message that says it. */
  evidence: number;
}

export interface Ask {
  question: string;
  needs: string[][];
  kind: 'direct' | 'indirect' | 'changed' | 'who' | 'when' | 'unrelated';
}

/** A request in which nobody says anything of themselves, with its answer. */
export interface EverydayRequest {
  user: string;
  assistant: string;
}

/** Whether any word of each group stands in a text, in any case. */
export function hasAll(text: string, groups: readonly (readonly string[])[]): boolean {
  const folded = fold(text);
  return groups.every((group) => group.some((word) => folded.includes(fold(word))));
}

function fold(text: string): string {
  return text.toLowerCase().normalize('NFKC');
}

/** The pairs that are hidden in a chat are drawn by this generator: the same seed draws the same ones. */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
}

const DAY_MS = 86_400_000;

/**
 * Hides a chat among everyday requests, as much before and after it as between its turns, as people use an assistant.
 * What the evidence of facts points at moves along.
 */
export function lengthen(
  chat: NaturalChat,
  everyday: readonly EverydayRequest[],
  count: number,
  random: () => number,
): NaturalChat {
  const times = chat.messages.map(({ at }) => Date.parse(at));
  const from = Math.min(...times) - 20 * DAY_MS;
  const span = Math.max(...times) + 40 * DAY_MS - from;
  const pool = [...everyday];
  const turns: { line: ChatLine; index?: number }[][] = [];
  for (const [index, line] of chat.messages.entries()) {
    const open = turns.at(-1);
    if (line.role === 'assistant' && open?.at(-1)?.line.session === line.session) open.push({ line, index });
    else turns.push([{ line, index }]);
  }
  for (let i = 0; i < count && pool.length > 0; i++) {
    const [request] = pool.splice(Math.floor(random() * pool.length), 1);
    if (!request) break;
    const at = new Date(from + random() * span).toISOString();
    const session = `everyday-${Math.floor(i / 2)}`;
    turns.push([
      { line: { role: 'user', content: request.user, at, session } },
      { line: { role: 'assistant', content: request.assistant, at, session } },
    ]);
  }
  const time = (turn: (typeof turns)[number]): number => Date.parse(turn[0]?.line.at ?? '');
  const lines = turns.toSorted((one, other) => time(one) - time(other)).flat();
  const moved = new Map(lines.map(({ index }, place) => [index, place]));
  return {
    ...chat,
    messages: lines.map(({ line }) => line),
    facts: chat.facts.map((fact) => ({ ...fact, evidence: moved.get(fact.evidence) ?? -1 })),
  };
}
