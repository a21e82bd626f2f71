import type { EverydayRequest, NaturalChat } from './corpus.ts';
import { areaUnderCurve, fitLogistic, linear, roundWeight, sigmoid, type Example } from './logistic.ts';
import { chatClauses, everydayClauses, type ClauseExample } from './statement-examples.ts';

/** The table of `src/learning/claims/claim-weights.ts`. */
export interface StatementTable {
  threshold: number;
  confident: number;
  bias: number;
  features: Record<string, number>;
}

export interface StatementReport {
  clauses: number;
  /** Percent of clauses that say a labeled fact. */
  base: number;
  auc: number;
  /** Precision, and of 100 everyday requests those with a statement, at some recalls; all in percent. */
  at: { recall: number; precision: number; threshold: number; everydayRequests: number }[];
}

/** A clause of an everyday request counts more: of what people type to an assistant most says nothing of them. */
const EVERYDAY_WEIGHT = 3;
const PENALTY = 3;
const FOLDS = 5;
/** The thresholds of the table keep these shares of the clauses that say a labeled fact. */
const KEPT = 80;
const CONFIDENT = 50;
const RECALLS = [0.3, 0.4, 0.5, 0.6, 0.7, 0.8];

interface Scored {
  example: ClauseExample;
  score: number;
  isPositive: boolean;
}

/** Out-of-fold scores of all clauses: those of a conversation by weights fitted without it. */
export interface OutOfFold {
  chat: Scored[];
  everyday: Scored[];
}

/** Fits the table on everything; the report is of conversations and requests that the weights were not fitted on. */
export function fitStatements(
  chats: readonly NaturalChat[],
  everyday: readonly EverydayRequest[],
): { table: StatementTable; report: StatementReport; outOfFold: OutOfFold } {
  const chat = chatClauses(chats);
  const requests = everydayClauses(everyday);
  const outOfFold = crossValidate(chat, requests, chats.length);
  const report = measure(outOfFold, everyday.length);
  const { bias, features } = fitTable(chat, requests);
  const thresholdAt = (recall: number): number =>
    roundWeight(report.at.find((each) => each.recall === recall)?.threshold ?? 0.5);
  const table = {
    threshold: thresholdAt(KEPT),
    confident: thresholdAt(CONFIDENT),
    bias,
    features,
  };
  return { table, report, outOfFold };
}

/** Weights as they are shipped, of all these clauses. */
export function fitTable(
  chat: readonly ClauseExample[],
  requests: readonly ClauseExample[],
): Pick<StatementTable, 'bias' | 'features'> {
  const names = featureNames(chat);
  const [bias = 0, ...weights] = fit(chat, requests, names);
  const features = Object.fromEntries(
    names.flatMap((name, i) => {
      const weight = roundWeight(weights[i] ?? 0);
      return Math.abs(weight) < 0.05 ? [] : [[name, weight]];
    }),
  );
  return { bias: roundWeight(bias), features };
}

function crossValidate(
  chat: readonly ClauseExample[],
  requests: readonly ClauseExample[],
  conversations: number,
): OutOfFold {
  const names = featureNames(chat);
  const folds = Math.min(FOLDS, conversations);
  const outOfFold: OutOfFold = { chat: [], everyday: [] };
  for (let fold = 0; fold < folds; fold++) {
    const isHeld = ({ conversation }: ClauseExample): boolean => conversation % folds === fold;
    const weights = fit(
      chat.filter((each) => !isHeld(each)),
      requests.filter((each) => !isHeld(each)),
      names,
    );
    const score = (example: ClauseExample): Scored => ({
      example,
      score: example.features['inMaterial'] === 1 ? 0 : sigmoid(linear(weights, vector(example, names))),
      isPositive: example.isPositive,
    });
    outOfFold.chat.push(...chat.filter(isHeld).map(score));
    outOfFold.everyday.push(...requests.filter(isHeld).map(score));
  }
  return outOfFold;
}

function fit(
  chat: readonly ClauseExample[],
  requests: readonly ClauseExample[],
  names: readonly string[],
): number[] {
  const toExample = (each: ClauseExample, weight: number): Example => ({
    features: vector(each, names),
    isPositive: each.isPositive,
    weight,
  });
  return fitLogistic(
    [...chat.map((each) => toExample(each, 1)), ...requests.map((each) => toExample(each, EVERYDAY_WEIGHT))],
    PENALTY,
  );
}

function measure({ chat, everyday }: OutOfFold, requests: number): StatementReport {
  const sorted = chat.toSorted((one, other) => other.score - one.score);
  const positives = sorted.filter(({ isPositive }) => isPositive).length;
  const percent = (part: number, whole: number): number => Math.round((1000 * part) / whole) / 10;
  return {
    clauses: chat.length,
    base: percent(positives, chat.length),
    auc: Math.round(1000 * areaUnderCurve(chat)) / 1000,
    at: RECALLS.map((recall) => {
      let found = 0;
      const last = sorted.findIndex(({ isPositive }) => (found += isPositive ? 1 : 0) >= recall * positives);
      const threshold = sorted[last]?.score ?? 0;
      const marked = new Set(
        everyday.filter(({ score }) => score >= threshold).map(({ example }) => example.conversation),
      );
      return {
        recall: Math.round(recall * 100),
        precision: percent(found, last + 1),
        threshold: Math.round(1000 * threshold) / 1000,
        everydayRequests: percent(marked.size, requests),
      };
    }),
  };
}

function featureNames(examples: readonly ClauseExample[]): string[] {
  return Object.keys(examples[0]?.features ?? {});
}

function vector({ features }: ClauseExample, names: readonly string[]): number[] {
  return names.map((name) => features[name] ?? 0);
}
