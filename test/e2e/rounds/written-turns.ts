import type { MemoryState } from '../kills/page/memory-state.ts';
import { turnOf } from './page/turn-text.ts';

/** Far longer than the tabs take for a turn, also on a machine that does other work. */
const STALLED_MS = 120_000;

/** What writers were told about their turns in one database. */
export class WrittenTurns {
  /** Number of turns that were acknowledged, by writer: those from 0 on. */
  readonly #kept = new Map<string, number>();
  readonly #forgetting = new Set<string>();
  readonly #forgotten = new Set<string>();
  readonly #rows = new Map<string, number>();
  #waiting: { noted(): boolean }[] = [];

  /** Takes down a page's note: `kept`, `forgetting` or `forgotten` and a turn's id, or `row`, a database and a count. */
  note(text: string): void {
    const [event, turnId = '', rows] = text.split(' ');
    const at = turnId.lastIndexOf('-');
    if (event === 'kept') this.keep(turnId.slice(0, at), Number(turnId.slice(at + 1)));
    else if (event === 'forgetting') this.#forgetting.add(turnId);
    else if (event === 'forgotten') this.#forgotten.add(turnId);
    else if (event === 'row') this.#rows.set(turnId, Number(rows));
    else throw new Error(`A page noted "${text}".`);
    this.#waiting = this.#waiting.filter((waiting) => !waiting.noted());
  }

  /** Takes down that the n-th turn of a writer, and so all before it, was acknowledged. */
  keep(writer: string, n: number): void {
    this.#kept.set(writer, n + 1);
  }

  /** Number of turns of these writers that were acknowledged. */
  count(...writers: readonly string[]): number {
    return writers.reduce((sum, writer) => sum + (this.#kept.get(writer) ?? 0), 0);
  }

  /** Number of rows written without Mnemora, to the database with this name, that were acknowledged. */
  rows(database: string): number {
    return this.#rows.get(database) ?? 0;
  }

  get total(): number {
    return this.count(...this.#kept.keys());
  }

  /**
   * Resolves at the first note after which the condition holds, or at once.
   *
   * @throws Error naming `what` if no tab notes anything for a long time
   */
  until(holds: () => boolean, what: string): Promise<void> {
    if (holds()) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const stalled = (): void => reject(new Error(`Nothing was written any more: ${what}`));
      const waiting = {
        timer: setTimeout(stalled, STALLED_MS),
        noted(): boolean {
          clearTimeout(this.timer);
          if (holds()) resolve();
          else this.timer = setTimeout(stalled, STALLED_MS);
          return holds();
        },
      };
      this.#waiting.push(waiting);
    });
  }

  /** Returns what is wrong with a memory that has these turns; nothing in a healthy one. */
  check({ turns, jobs, problems }: MemoryState): string[] {
    const wrong = [...jobs, ...problems].map((each) => `left over: ${JSON.stringify(each)}`);
    const found = groupTurns(turns);
    const ids = found.map(({ turnId }) => turnId);
    const stored = new Set(ids);
    for (const turnId of new Set(ids.filter((id, at) => ids.indexOf(id) !== at))) {
      wrong.push(`doubled or mixed with another: ${turnId}`);
    }
    const numbers = new Map<string, number>();
    for (const { turnId, sessionId, seqs, text } of found) {
      const at = turnId.lastIndexOf('-');
      const [writer, n] = [turnId.slice(0, at), Number(turnId.slice(at + 1))];
      const kept = this.#kept.get(writer) ?? 0;
      const expected = turnOf(writer, n);
      const question = `user ${expected.user}`;
      const whole = `complete ${question} complete assistant ${expected.assistant}`;
      // The one turn that was under way when the writer was killed may be there, or its question.
      const isUnderWay = n === kept;
      if (n > kept) wrong.push(`unknown: ${turnId}, ${kept} were acknowledged`);
      const isQuestion = text === `pending ${question}` || text === `failed ${question}`;
      if (text !== whole && !(isUnderWay && isQuestion)) {
        wrong.push(`torn: ${turnId} is "${text}"`);
      }
      if (sessionId !== expected.sessionId) wrong.push(`${turnId} is in ${sessionId}`);
      if (seqs.length === 2 && seqs[1] !== (seqs[0] ?? 0) + 1) wrong.push(`not in a row: ${turnId}`);
      if (this.#forgotten.has(turnId)) wrong.push(`back: ${turnId} was forgotten`);
      const place = `${sessionId} ${writer}`;
      if (n <= (numbers.get(place) ?? -1)) wrong.push(`out of order: ${turnId}`);
      numbers.set(place, n);
    }
    for (const [writer, kept] of this.#kept) {
      for (let n = 0; n < kept; n += 1) {
        const { turnId } = turnOf(writer, n);
        if (!stored.has(turnId) && !this.#forgetting.has(turnId)) wrong.push(`lost: ${turnId}`);
      }
    }
    return wrong;
  }
}

interface FoundTurn {
  readonly turnId: string;
  readonly sessionId: string;
  readonly seqs: readonly number[];
  /** State, role and content of each message. */
  readonly text: string;
}

/** Groups messages that follow each other by their turn. */
function groupTurns(rows: MemoryState['turns']): FoundTurn[] {
  const found: FoundTurn[] = [];
  for (const [sessionId, seq, turnId, role, content, state] of rows) {
    const text = `${String(state)} ${String(role)} ${String(content)}`;
    const last = found.at(-1);
    if (last && last.turnId === turnId && last.sessionId === sessionId) {
      found[found.length - 1] = { ...last, seqs: [...last.seqs, Number(seq)], text: `${last.text} ${text}` };
    } else {
      const ids = { turnId: String(turnId), sessionId: String(sessionId) };
      found.push({ ...ids, seqs: [Number(seq)], text });
    }
  }
  return found;
}
