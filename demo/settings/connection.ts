import { fetchLLM, type LLM } from '../../src/index.ts';

/** The endpoint of a model. The key is sent to this address only. */
export interface Connection {
  url: string;
  model: string;
  apiKey: string;
}

/** Endpoints of servers that run on the same machine. */
export const PRESETS: readonly { label: string; url: string }[] = [
  { label: 'Ollama', url: 'http://localhost:11434/v1' },
  { label: 'LM Studio', url: 'http://localhost:1234/v1' },
];

const KEY = 'mnemora-demo-connection';

/** Loads the connection of this tab, or undefined if there is none. */
export function loadConnection(): Connection | undefined {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? 'null');
    return isConnection(value) ? value : undefined;
  } catch {
    return undefined; // the stored value is damaged, so the user has to connect again
  }
}

/** Stores the connection for this tab only: session storage is not shared and ends with the tab. */
export function saveConnection(connection: Connection | undefined): void {
  if (connection) sessionStorage.setItem(KEY, JSON.stringify(connection));
  else sessionStorage.removeItem(KEY);
}

/**
 * Creates the model of a connection.
 *
 * @throws MnemoraError `invalid-option`
 */
export function connect({ url, model, apiKey }: Connection): LLM {
  return fetchLLM({ url, ...(model ? { model } : {}), ...(apiKey ? { apiKey } : {}), timeoutMs: 120_000 });
}

/**
 * Asks the endpoint for one short reply, without retries.
 *
 * @throws MnemoraError with what the endpoint answered
 */
export async function testConnection({ url, model, apiKey }: Connection, signal: AbortSignal): Promise<void> {
  const llm = fetchLLM({
    url,
    ...(model ? { model } : {}),
    ...(apiKey ? { apiKey } : {}),
    retries: 0,
    timeoutMs: 60_000,
  });
  await llm({ messages: [{ role: 'user', content: 'Reply with the word ready.' }], maxTokens: 8, signal });
}

/** Lists the models of the endpoint. The list is empty if the endpoint does not provide one. */
export async function listModels(
  { url, apiKey }: Connection,
  signal: AbortSignal,
): Promise<readonly string[]> {
  try {
    const response = await fetch(`${url.replace(/\/(chat\/completions)?\/?$/, '')}/models`, {
      headers: apiKey ? { authorization: `Bearer ${apiKey}` } : {},
      redirect: 'error',
      signal,
    });
    const body = JSON.parse(await textUpTo(MODELS_BYTES, response)) as { data?: { id?: unknown }[] };
    return (body.data ?? []).flatMap(({ id }) => (typeof id === 'string' ? [id] : []));
  } catch {
    return []; // the connection test reports what is wrong
  }
}

/** Limit of a list of models, which an endpoint could otherwise send without end. */
const MODELS_BYTES = 4_000_000;

async function textUpTo(maxBytes: number, { body }: Response): Promise<string> {
  let bytes = 0;
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform(piece, controller) {
      bytes += piece.byteLength;
      if (bytes <= maxBytes) controller.enqueue(piece);
      else controller.error(new Error(`More than ${maxBytes} bytes.`));
    },
  });
  return new Response(body?.pipeThrough(limit)).text();
}

function isConnection(value: unknown): value is Connection {
  if (typeof value !== 'object' || value === null) return false;
  const { url, model, apiKey } = value as Partial<Record<keyof Connection, unknown>>;
  return [url, model, apiKey].every((field) => typeof field === 'string');
}
