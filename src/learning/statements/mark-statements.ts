import { pastedParts } from '../../model/pasted-parts.ts';
import { isEnding } from './endings.ts';
import { splitClauses, type Clause } from './split-clauses.ts';
import { statementFeatures } from './statement-features.ts';
import { statementKinds, statementTopic, type StatementKind } from './statement-topics.ts';
import { STATEMENT_WEIGHTS, type StatementWeights } from './statement-weights.ts';

/** A sentence or clause of the user that is worth remembering. */
export interface MarkedStatement {
  /** The text as it is in the message from `start` to `end`, in UTF-16 code units. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** The assistant's question that a short answer belongs to; otherwise absent. */
  readonly question?: string;
  /** Probability that it is worth remembering, from 0 to 1. */
  readonly score: number;
  /** See `statementTopic`. */
  readonly topic: string;
  /** At least one kind. */
  readonly kinds: readonly StatementKind[];
  /** Whether it says that something has ended or changed. */
  readonly isEnding: boolean;
}

/** Options for marking a message. */
export interface MarkOptions {
  /** The assistant's message before. @default '' */
  readonly before?: string;
  /** Parts of the message that are from elsewhere. @default what `pastedParts` finds */
  readonly pasted?: readonly string[];
  /** Statements with a lower score are left out. @default the threshold of the weights */
  readonly threshold?: number;
  /** Weights of the model. @default the fitted ones */
  readonly weights?: StatementWeights;
}

/** Maximum number of UTF-16 code units that are read, because people do not type longer messages. */
const MAX_CHARACTERS = 4000;
/** A call, braces, a dotted path, or an operator of code. */
const CODE = /[{}\\`^|]|\w\([^\s)]*\)|\w\.\w+[.(]\w|\w_\w|\+\+|==/u;
/** Maximum number of words of an answer that means nothing without its question. */
const SHORT_ANSWER_WORDS = 3;

/**
 * Finds what a user says that is worth remembering: stable facts, preferences, plans, people, changes, how to be
 * answered. A linear model over bounded features decides. Texts in languages without word lists are judged by their
 * form.
 */
export function markStatements(message: string, options: MarkOptions = {}): MarkedStatement[] {
  const text = withoutParts(message, options.pasted ?? pastedParts(message)).slice(0, MAX_CHARACTERS);
  const { before = '', weights = STATEMENT_WEIGHTS, threshold = weights.threshold } = options;
  const clauses = splitClauses(text);
  return clauses.flatMap((clause, position): MarkedStatement[] => {
    const features = statementFeatures({ clauses, position, message: text, before });
    const fitted = statementScore(features, weights);
    // Standing wishes are kept whatever their form: most are requests, for which the other features are low.
    const score = features['standingWish'] === 1 ? Math.max(fitted, weights.confident) : fitted;
    // Quotations, code and texts to work on are not statements of the user.
    if (score < threshold || features['inMaterial'] === 1 || CODE.test(clause.text)) return [];
    const question = position === 0 ? questionBefore(before, clause) : undefined;
    const said = question === undefined ? clause.text : `${question} ${clause.text}`;
    return [
      {
        text: clause.text,
        start: clause.start,
        end: clause.end,
        ...(question === undefined ? {} : { question }),
        score,
        topic: statementTopic(said),
        kinds: statementKinds(said),
        isEnding: isEnding(clause.text),
      },
    ];
  });
}

/** Returns the probability from the logistic model. */
function statementScore(features: Readonly<Record<string, number>>, weights: StatementWeights): number {
  let sum = weights.bias;
  for (const [name, weight] of Object.entries(weights.features)) sum += weight * (features[name] ?? 0);
  return 1 / (1 + Math.exp(-sum));
}

/** Replaces the parts with blanks of the same length, so that offsets stay valid. */
function withoutParts(text: string, parts: readonly string[]): string {
  return parts.reduce((left, part) => left.replaceAll(part, (all) => '\n'.repeat(all.length)), text);
}

function questionBefore(before: string, { text }: Clause): string | undefined {
  if ((text.match(/[\p{L}\p{N}'’-]+/gu)?.length ?? 0) > SHORT_ANSWER_WORDS) return undefined;
  return splitClauses(before).findLast(({ isAsked }) => isAsked)?.text;
}
