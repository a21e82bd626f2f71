import type { Memory } from 'mnemora';

/** Address of an endpoint that speaks chat completions, up to `/v1`, and the name of one of its models. */
export interface Endpoint {
  readonly url: string;
  readonly model: string;
}

/** Asks a model with what memory recalls for the question, and remembers the turn. */
export async function ask({ url, model }: Endpoint, memory: Memory, question: string): Promise<string> {
  const { messages } = await memory.recall(question);
  const response = await fetch(`${url}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages }),
  });
  if (!response.ok) throw new Error(`The model answered with status ${response.status}.`);
  const reply = (await response.json()) as { choices?: { message?: { content?: string | null } }[] };
  const answer = reply.choices?.[0]?.message?.content;
  if (typeof answer !== 'string') throw new Error('The reply of the model has no text.');
  await memory.remember({ user: question, assistant: answer });
  return answer;
}
