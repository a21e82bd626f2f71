import type { Referents } from './offline-referents.ts';
import type { SpeakerRole, Subject } from './offline-subjects.ts';
import { baseForm, type VerbGroup } from './offline-verbs.ts';

/** A fact that a clause states. */
export interface StatedFact {
  readonly subject: string;
  readonly predicate: string;
  readonly object: string;
  /** Milliseconds since 1970. */
  readonly validFrom?: number;
}

/** What a statement is read against. */
export interface StatementContext {
  readonly role: SpeakerRole;
  readonly referents: Referents;
  /** When it was said, in milliseconds since 1970. */
  readonly now: number;
}

/** `likes` → `does not like`, `is learning` → `is not learning`. */
export function deny(predicate: string, verb: Pick<VerbGroup, 'isNegated' | 'isAble'>): string {
  if (!verb.isNegated) return predicate;
  const [first = '', ...rest] = predicate.split(' ');
  if (/^(?:is|was|are|were)$/u.test(first)) return [first, 'not', ...rest].join(' ');
  if (verb.isAble) return ['cannot', baseForm(first), ...rest].join(' ');
  return ['does not', baseForm(first), ...rest].join(' ');
}

export function makeFacts(
  subject: Pick<Subject, 'names' | 'end'>,
  predicate: string,
  objects: readonly string[],
  validFrom: number | undefined,
): StatedFact[] {
  return subject.names.flatMap((name) =>
    objects.map((object) => ({
      subject: name,
      predicate,
      object,
      ...(validFrom === undefined ? {} : { validFrom }),
    })),
  );
}
