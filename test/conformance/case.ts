/** One case of a conformance file. */
export interface ConformanceCase {
  id: string;
  system: string;
  flavor: readonly string[];
  given: Given;
  steps: readonly Step[];
  expect: readonly (Expectation | null)[];
  after?: After;
  product: 'match' | 'improve';
}

/** What the component is made of. Only the fields that a component knows are read. */
export interface Given {
  component: string;
  options?: Readonly<Record<string, unknown>>;
  llm?: { replies?: readonly string[]; tokenCounter?: string };
  tokenCounter?: string;
  history?: readonly MessageRow[];
  historyKind?: string;
  messages?: readonly MessageRow[];
  /** Of a combined memory its members, of a simple one its values. */
  memories?: readonly Given[] | Readonly<Record<string, unknown>>;
  memory?: Given;
  inner?: Given;
  embedder?: string;
  runnable?: string;
  template?: string;
  promptVariables?: readonly string[];
  memoryKey?: string;
  inputKey?: string;
  outputKey?: string;
}

export type Step = { op: string } & Readonly<Record<string, unknown>>;

export type Expectation = { returns: unknown } | { throws: string };

export interface After {
  llmCalls?: number;
  prompts?: readonly string[];
  llmVars?: unknown;
}

/** A message: role, content, and what it has besides. */
export type MessageRow = readonly [
  role: string,
  content: unknown,
  extra?: { calls?: readonly string[]; id?: string; name?: string },
];
