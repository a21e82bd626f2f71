import { pastedParts } from '../../model/pasted-parts.ts';
import { isEnding } from './endings.ts';
import { splitClauses, type Clause } from './split-clauses.ts';
import { statementFeatures } from './statement-features.ts';
import { statementKinds, statementTopic, type StatementKind } from './statement-topics.ts';
import { STATEMENT_WEIGHTS, type StatementWeights } from './statement-weights.ts';

/** A sentence or clause of the user that is worth keeping. */
export interface MarkedStatement {
  /** As it stands in the message, from `start` up to `end`, in UTF-16 units. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Question of the assistant that a short answer belongs to; otherwise absent. */
  readonly question?: string;
  /** How likely it is worth keeping, from 0 to 1. */
  readonly score: number;
  /** See `statementTopic`. */
  readonly topic: string;
  /** At least one. */
  readonly kinds: readonly StatementKind[];
  /** Whether it says that something has ended or changed. */
  readonly isEnding: boolean;
}

/** What marking may know besides the message. */
export interface MarkOptions {
  /** What the assistant said right before. @default '' */
  readonly before?: string;
  /** Parts of the message that stem from elsewhere. @default what `pastedParts` finds */
  readonly pasted?: readonly string[];
  /** Statements of a lower score are left out. @default that of the weights */
  readonly threshold?: number;
  /** @default those that were fitted */
  readonly weights?: StatementWeights;
}

/** Of a message this many UTF-16 units are read: longer ones are not typed. */
const MAX_CHARACTERS = 4000;
/** A call, braces, a dotted path, an operator of code. */
const CODE = /[{}\\`^|]|\w\([^\s)]*\)|\w\.\w+[.(]\w|\w_\w|\+\+|==/u;
/** An answer of so few words says nothing without its question. */
const SHORT_ANSWER_WORDS = 3;

/**
 * Marks what a user says that is worth keeping: stable facts, preferences, plans, people, changes, how to be answered.
 * A linear model of bounded features decides; texts in languages without word lists are judged by their form.
 */
export function markStatements(message: string, options: MarkOptions = {}): MarkedStatement[] {
  const text = withoutParts(message, options.pasted ?? pastedParts(message)).slice(0, MAX_CHARACTERS);
  const { before = '', weights = STATEMENT_WEIGHTS, threshold = weights.threshold } = options;
  const clauses = splitClauses(text);
  return clauses.flatMap((clause, position): MarkedStatement[] => {
    const features = statementFeatures({ clauses, position, message: text, before });
    const fitted = statementScore(features, weights);
    // Whoever says how to be answered says it to be kept, in whatever form: most are requests, which tell nothing else.
    const score = features['standingWish'] === 1 ? Math.max(fitted, weights.confident) : fitted;
    // A quotation, code or a text to be worked on is nobody's word, whatever it says.
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

/** Probability by the logistic model. */
function statementScore(features: Readonly<Record<string, number>>, weights: StatementWeights): number {
  let sum = weights.bias;
  for (const [name, weight] of Object.entries(weights.features)) sum += weight * (features[name] ?? 0);
  return 1 / (1 + Math.exp(-sum));
}

/** Blanks of the same length keep the places of what is left. */
function withoutParts(text: string, parts: readonly string[]): string {
  return parts.reduce((left, part) => left.replaceAll(part, (all) => '\n'.repeat(all.length)), text);
}

function questionBefore(before: string, { text }: Clause): string | undefined {
  if ((text.match(/[\p{L}\p{N}'’-]+/gu)?.length ?? 0) > SHORT_ANSWER_WORDS) return undefined;
  return splitClauses(before).findLast(({ isAsked }) => isAsked)?.text;
}
