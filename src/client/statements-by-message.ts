import { isPersonal } from '../recall/gate/question-features.ts';
import { groupedBy } from '../storage/rows.ts';
import type { StatementRow } from '../storage/schema.ts';

/** The statements of one message that still hold. */
export interface StatingMessage {
  readonly messageId: string;
  readonly rows: readonly StatementRow[];
  /** The log-odds that the best of them is worth keeping, less where they are about nobody. */
  readonly score: number;
}

/** Statements grouped once for all questions that are asked until the next one is learned. */
export class StatementsByMessage {
  readonly #stated: ReadonlyMap<string, readonly StatementRow[]>;
  readonly #holding: ReadonlyMap<string, readonly StatementRow[]>;
  #ranked: readonly StatingMessage[] | undefined;

  constructor(statements: readonly StatementRow[]) {
    this.#stated = groupedBy(statements, ({ messageId }) => messageId);
    this.#holding = groupedBy(statements.filter(holds), ({ messageId }) => messageId);
  }

  /** What was stated in a message, ended or not. */
  statedIn(messageId: string): readonly StatementRow[] {
    return this.#stated.get(messageId) ?? [];
  }

  holdingIn(messageId: string): readonly StatementRow[] {
    return this.#holding.get(messageId) ?? [];
  }

  hasEndedIn(messageId: string): boolean {
    return !this.statedIn(messageId).every(holds);
  }

  /** The messages with something that holds, the most worth keeping first. */
  ranked(): readonly StatingMessage[] {
    this.#ranked ??= [...this.#holding]
      .map(([messageId, rows]) => ({
        messageId,
        rows,
        score: worth(rows) - (rows.some(isAboutSomebody) ? 0 : ABOUT_NOBODY),
      }))
      .toSorted((a, b) => b.score - a.score || inOrder(a, b));
    return this.#ranked;
  }
}

/** Of the same array, which is not to change, the same groups. */
export function statementsByMessage(statements: readonly StatementRow[]): StatementsByMessage {
  const known = groups.get(statements);
  if (known) return known;
  const made = new StatementsByMessage(statements);
  groups.set(statements, made);
  return made;
}

const groups = new WeakMap<readonly StatementRow[], StatementsByMessage>();

/** The log-odds that the best of some statements is worth keeping. */
export function worth(rows: readonly StatementRow[]): number {
  const best = Math.max(...rows.map(({ score }) => score));
  return Math.log(best / (1 - best));
}

function holds({ endedBy }: StatementRow): boolean {
  return endedBy === undefined;
}

/** What stands in a task is about nobody: it comes last. */
const ABOUT_NOBODY = 10;

function isAboutSomebody(row: StatementRow): boolean {
  let isAbout = aboutSomebody.get(row);
  if (isAbout === undefined) {
    isAbout = row.kinds.some((kind) => kind !== 'other' && kind !== 'plan') || isPersonal(row.text);
    aboutSomebody.set(row, isAbout);
  }
  return isAbout;
}

const aboutSomebody = new WeakMap<StatementRow, boolean>();

/** Of equals the newer first, and the same ones whatever the order of the rows. */
function inOrder(a: StatingMessage, b: StatingMessage): number {
  return saidAt(b) - saidAt(a) || (a.messageId < b.messageId ? -1 : 1);
}

function saidAt({ rows }: StatingMessage): number {
  return rows[0]?.saidAt ?? 0;
}
