import { markClaims } from '../../src/learning/claims/mark-claims.ts';
import type { ClaimWeights } from '../../src/learning/claims/claim-weights.ts';
import { memoryEvidence, type MemoryEvidence } from '../../src/recall/gate/memory-evidence.ts';
import { foldQuestion, takeOutFrame } from '../../src/language/question-features.ts';
import { analyze } from '../../src/language/terms.ts';
import { inverseDocumentFrequency } from '../../src/search/bm25.ts';
import { ConversationIndex } from '../../src/search/conversation-index.ts';
import { STOP_WORDS } from '../../src/language/words/stop-words.ts';
import type { ChatLine } from './corpus.ts';

/** Messages of which search looks at, with those beside each. */
const FOUND = 10;

/** A memory as the gate sees it: the product's own index and what the user has stated. */
export class ChatMemory {
  readonly #index = new ConversationIndex();
  readonly #terms: ReadonlySet<string>[] = [];
  readonly #frequency = new Map<string, number>();
  readonly #stated: ReadonlySet<string>[] = [];
  readonly #names = new Set<string>();
  readonly #speakers = new Set<string>();

  /** @param speakers of lines by role; without them nobody has a name */
  constructor(lines: readonly ChatLine[], weights: ClaimWeights, speakers: readonly string[] = []) {
    for (const [i, line] of lines.entries()) {
      this.#index.add(String(i), line.content, {
        sessionId: line.session,
        order: i,
        turnId: String(i),
        createdAt: Date.parse(line.at),
      });
      const terms = new Set(analyze(line.content));
      this.#terms.push(terms);
      for (const term of terms) this.#frequency.set(term, (this.#frequency.get(term) ?? 0) + 1);
      if (line.role === 'user') this.#state(line, lines[i - 1], weights);
    }
    for (const name of speakers) for (const term of analyze(name)) this.#speakers.add(term);
  }

  evidence(question: string): MemoryEvidence {
    const terms = new Set(
      analyze(takeOutFrame(foldQuestion(question))).filter((term) => !STOP_WORDS.has(term) && isWord(term)),
    );
    return memoryEvidence(terms, {
      rarity: (term) => inverseDocumentFrequency(this.#terms.length, this.#frequency.get(term) ?? 0),
      stated: this.#stated,
      found: this.#found([...terms]),
      names: this.#names,
      speakers: this.#speakers,
    });
  }

  #state(line: ChatLine, last: ChatLine | undefined, weights: ClaimWeights): void {
    const before = last?.role === 'assistant' && last.session === line.session ? last.content : '';
    const statements = markClaims(line.content, { before, weights });
    if (statements.length === 0) return;
    this.#stated.push(
      new Set(statements.flatMap(({ text, question = '' }) => analyze(`${question} ${text}`))),
    );
    for (const { text } of statements) {
      for (const [name] of text.matchAll(INNER_CAPITAL))
        for (const term of analyze(name)) this.#names.add(term);
    }
  }

  #found(terms: readonly string[]): ReadonlySet<string>[] {
    const best = this.#index.score(terms).best(FOUND, { message: 1, surroundings: 0, session: 0 });
    return best.map((id) => {
      const i = Number(id);
      return new Set([i - 1, i, i + 1].flatMap((each) => [...(this.#terms[each] ?? [])]));
    });
  }
}

const INNER_CAPITAL = /(?<=[\p{L}\p{N},;(:]\s*)(?!I\b|I')\p{Lu}[\p{L}'’-]+/gu;

/** A character of a script without spaces stands in too many words to tell anything. */
function isWord(term: string): boolean {
  return !/^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]$/u.test(term);
}
