import { isPersonal } from '../../language/question-features.ts';
import type { ClaimRow } from '../../storage/schema.ts';

/** Subtracted from the log-odds of claims about nobody, such as those in a task, which ranks them last. */
const ABOUT_NOBODY = 10;

const aboutSomebody = new WeakMap<object, boolean>();

/** Returns the log-odds that the best of some claims is worth keeping. */
export function worth(claims: readonly ClaimRow[]): number {
  const best = Math.max(...claims.map(({ score }) => score));
  return Math.log(best / (1 - best));
}

/** Returns by how much the claims of a message are worth telling to a question that they have no words of. */
export function worthUnasked(claims: readonly ClaimRow[]): number {
  return worth(claims) - (claims.some(isAboutSomebody) ? 0 : ABOUT_NOBODY);
}

/** Whether a claim speaks of a person or of the user's own affairs. */
export function isAboutSomebody(row: Pick<ClaimRow, 'kinds' | 'text'>): boolean {
  const known = aboutSomebody.get(row);
  if (known !== undefined) return known;
  const isAbout = row.kinds.some((kind) => kind !== 'other' && kind !== 'plan') || isPersonal(row.text);
  aboutSomebody.set(row, isAbout);
  return isAbout;
}
