import type { MemoryDatabase } from '../../src/sessions/memory-database.ts';
import type { ConformanceCase, Expectation, Step } from './case.ts';
import { chainSubject } from './chain-subject.ts';
import { chatMemoryStoreSubject, chatMemorySubject } from './chat-memory-subject.ts';
import { entityStoreSubject, graphSubject, parserSubject } from './graph-subject.ts';
import { difference, type Outcome, findSuperseded } from './expectations.ts';
import { IMPROVED_RESULTS, type ImprovedResult } from './improved-results.ts';
import { memorySubject } from './memory-subject.ts';
import { toCaseForm } from './message-rows.ts';
import { printedVariables } from './printed-prompts.ts';
import { runnableSubject } from './runnable-subject.ts';
import type { Subject } from './subject.ts';
import { trimSubject } from './trim-subject.ts';
import { World } from './world.ts';
import { openDatabase } from '../../src/sessions/open-database.ts';

export interface CaseResult {
  id: string;
  status: 'passed' | 'failed' | 'skipped';
  /** Why it failed or was skipped. */
  reason?: string;
}

/** Gives a database of its own to a play, and deletes it afterwards. */
export type WithDatabase = (
  play: (database: MemoryDatabase) => Promise<string | undefined>,
) => Promise<string | undefined>;

/** Plays cases through the public API: each in memory and over a database. Superseded variants are left out. */
export async function playCases(
  cases: readonly ConformanceCase[],
  withDatabase: WithDatabase,
  onResult: (result: CaseResult) => void = () => undefined,
): Promise<CaseResult[]> {
  const superseded = findSuperseded(cases);
  const results: CaseResult[] = [];
  for (const entry of cases) {
    if (superseded.has(entry.id)) continue;
    const result = await playCase(entry, withDatabase);
    results.push(result);
    onResult(result);
  }
  return results;
}

async function playCase(entry: ConformanceCase, withDatabase: WithDatabase): Promise<CaseResult> {
  const { id } = entry;
  const agreed = agreedSkip(entry);
  if (agreed !== undefined) return { id, status: 'skipped', reason: agreed };
  try {
    const isPrinting = entry.after?.llmVars ?? IMPROVED_RESULTS[entry.id]?.llmVars;
    const prompts = isPrinting === undefined ? 'default' : 'printing';
    const inMemory = await playIn(new World(undefined, prompts), entry);
    if (inMemory !== undefined) return { id, status: 'failed', reason: `in memory: ${inMemory}` };
    const inDatabase = await withDatabase((database) => playIn(new World(database, prompts), entry));
    if (inDatabase !== undefined) return { id, status: 'failed', reason: `over IndexedDB: ${inDatabase}` };
    return { id, status: 'passed' };
  } catch (error) {
    return { id, status: 'failed', reason: String(error) };
  }
}

const BY_DESIGN: Readonly<Record<string, string>> = {
  'R-16': 'a session is named by one id',
  'R-17': 'a session is named by one id',
};

/** What the graph itself offers: `KnowledgeGraph.graph`. */
const GRAPH_SURGERY: readonly string[] = [
  'removeNode',
  'clearEdges',
  'topologicalSort',
  'gmlRoundTrip',
  'gml',
];

function agreedSkip({ id, system, steps }: ConformanceCase): string | undefined {
  const reason = BY_DESIGN[id];
  if (reason !== undefined) return `by design: ${reason}`;
  if (system === 'ChatMemoryService') return 'by design: memories are made by the caller, not by a service';
  if (steps.some((step) => GRAPH_SURGERY.includes(step.op)))
    return 'by design: KnowledgeGraph.graph does this';
  return undefined;
}

/** Plays one case; says what went wrong, or nothing. */
async function playIn(world: World, entry: ConformanceCase): Promise<string | undefined> {
  const improved = IMPROVED_RESULTS[entry.id];
  if (entry.product === 'improve' && !improved)
    return 'there is no improved result for this case in the table';
  const wanted: ImprovedResult =
    entry.product === 'improve' && improved ? improved : { expect: entry.expect };
  const plan: (readonly [Step, Expectation | null | undefined])[] = [
    ...entry.steps.map((step, index) => [step, wanted.expect[index]] as const),
    ...(wanted.also ?? []),
  ];
  let building: Promise<Subject> | undefined;
  for (const [index, [step, expected]] of plan.entries()) {
    const outcome = await attempt(async () => {
      // An assignment with `??= await` in a closure writes to another call's variable in WebKitGTK 2.50.
      building ??= buildSubject(entry, world);
      const subject = await building;
      const operation = subject.operations[step.op];
      if (!operation) throw new UnknownOperation(`unknown operation "${step.op}" of ${entry.system}`);
      const isAnswerWanted = expected !== null && expected !== undefined && 'returns' in expected;
      return toCaseForm(await operation(step, isAnswerWanted), subject.userName);
    });
    const problem = difference(outcome, renameKeys(entry, expected), step.op === 'invoke');
    if (problem !== undefined) return `step ${index + 1} (${step.op}) ${problem}`;
  }
  return checkAfter(world, entry, wanted);
}

/** A case that asks for what the player cannot do: never a pass, also where an error is expected. */
class UnknownOperation extends Error {}

async function attempt(play: () => Promise<unknown>): Promise<Outcome> {
  try {
    return { returned: await play() };
  } catch (threw) {
    if (threw instanceof UnknownOperation) throw threw;
    return { threw };
  }
}

async function buildSubject(entry: ConformanceCase, world: World): Promise<Subject> {
  const { given } = entry;
  switch (given.component) {
    case 'Chain':
    case 'ConversationChain':
      return chainSubject(given, world);
    case 'RunnableWithMessageHistory':
      return runnableSubject(given, world);
    case 'MessageWindowChatMemory':
    case 'TokenWindowChatMemory':
      return chatMemorySubject(entry, world);
    case 'ChatMemoryStore':
    case 'InMemoryChatMemoryStore':
      return chatMemoryStoreSubject(world);
    case 'trim_messages':
      return trimSubject(given, world);
    case 'EntityGraph':
      return graphSubject();
    case 'EntityStore':
      return entityStoreSubject(world);
    case 'parse_triples':
    case 'get_entities':
      return parserSubject();
    default:
      return memorySubject(given, world);
  }
}

function checkAfter(world: World, entry: ConformanceCase, wanted: ImprovedResult): string | undefined {
  const { after } = entry;
  const llmVars = wanted.llmVars ?? after?.llmVars;
  if (llmVars !== undefined) {
    const printed = world.prompts.map(printedVariables);
    const problem = difference({ returned: printed }, { returns: llmVars }, false);
    if (problem !== undefined) return `model calls: ${problem}`;
  }
  const llmCalls = wanted.llmCalls ?? after?.llmCalls;
  if (llmCalls !== undefined && world.prompts.length !== llmCalls) {
    return `should have made ${llmCalls} model calls, but made ${world.prompts.length}`;
  }
  if (after?.prompts && JSON.stringify(after.prompts) !== JSON.stringify(world.prompts)) {
    return `should have sent ${JSON.stringify(after.prompts)}, but sent ${JSON.stringify(world.prompts)}`;
  }
  if (entry.product === 'match') return undefined;
  const codes = world.warnings.map((warning) => warning.code);
  const isRight = wanted.warning === undefined ? codes.length === 0 : codes.includes(wanted.warning);
  return isRight
    ? undefined
    : `should have warned ${wanted.warning ?? 'of nothing'}, but warned ${codes.join(', ') || 'of nothing'}`;
}

/** LangChain.js names the variable of its vector memory differently; ours is called as in Python. */
function renameKeys(
  entry: ConformanceCase,
  expected: Expectation | null | undefined,
): Expectation | null | undefined {
  const isRenamed =
    entry.system === 'VectorStoreRetrieverMemory' &&
    entry.flavor.join() === 'js' &&
    entry.given.options?.['memoryKey'] === undefined;
  if (!isRenamed || !expected || !('returns' in expected)) return expected;
  const { returns } = expected;
  if (typeof returns !== 'object' || returns === null || !('memory' in returns)) return expected;
  const { memory, ...others } = returns;
  return { returns: { ...others, history: memory } };
}

let opened = 0;

/** Plays in a database of its own, which is deleted afterwards. */
export const inDatabase: WithDatabase = async (play) => {
  opened += 1;
  const database = await openDatabase({ name: `conformance-${Date.now()}-${opened}` });
  try {
    return await play(database);
  } finally {
    await database.delete();
  }
};
