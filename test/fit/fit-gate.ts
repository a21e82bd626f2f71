import type { ClaimWeights } from '../../src/learning/claims/claim-weights.ts';
import { LOST_SHARES } from '../../src/recall/gate/score-question.ts';
import type { EverydayRequest, NaturalChat } from './corpus.ts';
import { chatClauses, everydayClauses } from './statement-examples.ts';
import { fitTable, type StatementTable } from './fit-statements.ts';
import { gateExamples, type GateExample } from './gate-examples.ts';
import { areaUnderCurve, fitLogistic, linear, roundWeight, sigmoid } from './logistic.ts';

/** The table of `src/recall/gate/score-question.ts`. */
export interface GateTable {
  bias: number;
  features: Record<string, number>;
  thresholds: number[];
}

/** At one threshold, all in percent; questions to lengthened chats where nothing else is said. */
export interface GateRow {
  minRelevance: number;
  threshold: number;
  quiet: number;
  quietFramed: number;
  quietEveryday: number;
  quietInPlainChat: number;
  quietFramedInPlainChat: number;
  kept: number;
  keptFramed: number;
  keptInPlainChat: number;
  keptByKind: Record<string, number>;
}

export interface GateReport {
  auc: number;
  aucFramed: number;
  rows: GateRow[];
}

type Scored = GateExample & { readonly score: number };

const PENALTY = 1;
const STATEMENT_FOLDS = 5;

/**
 * Fits the gate on questions to chats as they are and lengthened. The report is of weights fitted without the chat, and
 * without any question that was written for it; frames other than those in the report are fitted with.
 */
export function fitGate(
  chats: readonly NaturalChat[],
  everyday: readonly EverydayRequest[],
  statements: StatementTable,
): { table: GateTable; report: GateReport } {
  const examples = gateExamples(chats, everyday, statementWeights(chats, everyday, statements));
  const names = Object.keys(examples[0]?.features ?? {});
  const outOfFold = chats.flatMap((_chat, conversation) => {
    const weights = fit(
      examples.filter((each) => each.conversation !== conversation && each.source !== conversation),
      names,
    );
    return examples
      .filter(
        (each) =>
          each.conversation === conversation && (each.source === conversation || each.kind === 'everyday'),
      )
      .map((each) => ({ ...each, score: sigmoid(linear(weights, vector(each, names))) }));
  });
  const answerable = select(outOfFold, { isLengthened: true, frame: 'none', isPositive: true });
  const sorted = answerable.map(({ score }) => score).toSorted((one, other) => one - other);
  const thresholds = LOST_SHARES.map((lost) =>
    lost === 0 ? 0 : roundWeight(sorted[Math.floor(lost * sorted.length)] ?? 0),
  );
  const [bias = 0, ...weights] = fit(examples, names);
  const table = {
    bias: roundWeight(bias),
    features: Object.fromEntries(names.map((name, i) => [name, roundWeight(weights[i] ?? 0)])),
    thresholds,
  };
  const lengthened = select(outOfFold, { isLengthened: true }).filter(({ kind }) => kind !== 'everyday');
  const auc = (frame: GateExample['frame']): number =>
    Math.round(1000 * areaUnderCurve(lengthened.filter((each) => each.frame === frame))) / 1000;
  const rows = thresholds.map((threshold, step) =>
    toRow(outOfFold, threshold, step / (thresholds.length - 1)),
  );
  return { table, report: { auc: auc('none'), aucFramed: auc('new'), rows } };
}

/** Statement weights fitted without the fold of a conversation: its own labels must not tell what it states. */
function statementWeights(
  chats: readonly NaturalChat[],
  everyday: readonly EverydayRequest[],
  table: StatementTable,
): (conversation: number) => ClaimWeights {
  const clauses = chatClauses(chats);
  const requests = everydayClauses(everyday);
  const byFold = Array.from({ length: STATEMENT_FOLDS }, (_, fold) => {
    const isKept = (each: { conversation: number }): boolean => each.conversation % STATEMENT_FOLDS !== fold;
    return { ...table, ...fitTable(clauses.filter(isKept), requests.filter(isKept)) };
  });
  return (conversation) => byFold[conversation % STATEMENT_FOLDS] ?? table;
}

function fit(examples: readonly GateExample[], names: readonly string[]): number[] {
  const weighted = examples.flatMap((each) => {
    const weight = exampleWeight(each);
    return weight === 0 ? [] : [{ features: vector(each, names), isPositive: each.isPositive, weight }];
  });
  return fitLogistic(weighted, PENALTY);
}

/**
 * Those who ask something else count about as much as those who ask for what memory holds: a third each for unrelated
 * questions of the chat and of other chats, plain and framed, and for everyday requests.
 */
function exampleWeight({ frame, isPositive, kind }: GateExample): number {
  if (frame === 'new') return 0;
  const isPlain = frame === 'none';
  if (isPositive) return isPlain ? 1 : 0.5;
  if (kind === 'everyday') return 0.15;
  if (kind === 'unrelated') return isPlain ? 1.5 : 1;
  return isPlain ? 0.2 : 0.12;
}

function toRow(scored: readonly Scored[], threshold: number, minRelevance: number): GateRow {
  const below = (some: Partial<GateExample>): number => {
    const chosen = select(scored, some);
    const quiet = chosen.filter(({ score }) => score < threshold).length;
    return Math.round((1000 * quiet) / chosen.length) / 10;
  };
  const kept = (some: Partial<GateExample>): number =>
    Math.round(1000 - 10 * below({ isPositive: true, ...some })) / 10;
  const long = { isLengthened: true, frame: 'none' } as const;
  const plain = { isLengthened: false, frame: 'none' } as const;
  const kinds = ['direct', 'indirect', 'who', 'changed', 'when'];
  return {
    minRelevance,
    threshold,
    quiet: below({ ...long, kind: 'unrelated' }),
    quietFramed: below({ ...long, frame: 'new', kind: 'unrelated' }),
    quietEveryday: below({ ...long, kind: 'everyday' }),
    quietInPlainChat: below({ ...plain, kind: 'unrelated' }),
    quietFramedInPlainChat: below({ ...plain, frame: 'new', kind: 'unrelated' }),
    kept: kept(long),
    keptFramed: kept({ ...long, frame: 'new' }),
    keptInPlainChat: kept(plain),
    keptByKind: Object.fromEntries(kinds.map((kind) => [kind, kept({ ...long, kind })])),
  };
}

function select<T extends GateExample>(examples: readonly T[], some: Partial<GateExample>): T[] {
  const wanted = Object.entries(some);
  return examples.filter((each) =>
    wanted.every(([name, value]) => each[name as keyof GateExample] === value),
  );
}

function vector({ features }: GateExample, names: readonly string[]): number[] {
  return names.map((name) => features[name] ?? 0);
}
