import { callLLM, type LLM, type LLMRequest } from '../../llm/llm.ts';
import { promptTemplate, type PromptTemplate } from '../../llm/prompt-template.ts';
import { invalidOption, MnemoraError } from '../../model/error.ts';
import type { ChatMessage } from '../../model/message.ts';
import { shorten } from '../cut-text.ts';
import type { SpeakerLabels } from './prompts.ts';
import { readUpdates, type AskedEntity } from './read-updates.ts';

/** Custom prompts by name. Each is a template text or a template. */
export type Prompts<Name extends string> = { readonly [Key in Name]?: string | PromptTemplate };

export interface ModelSettings<Name extends string> {
  readonly labels?: Partial<SpeakerLabels>;
  readonly prompts?: Prompts<Name>;
  readonly maxTokens?: number;
  readonly temperature?: number;
  readonly maxInputCharacters?: number;
}

/** Asks a model with prompts, and returns the text of its replies. */
export interface ModelAsker<Name extends string> {
  readonly labels: SpeakerLabels;
  readonly maxCharacters: number;
  /** Asks with the custom template if there is one, otherwise with the default prompt. */
  askFor<V extends Readonly<Record<string, string>>>(
    name: Name,
    values: V,
    prompt: (labels: SpeakerLabels, values: V) => string,
    signal: AbortSignal | undefined,
  ): Promise<string>;
  askForJSON(messages: readonly ChatMessage[], signal: AbortSignal | undefined): Promise<string>;
  /**
   * Returns the notes on these entities that have changed.
   *
   * @param what names the notes in the error
   * @throws MnemoraError `llm-reply` if the reply cannot be read
   */
  askForNotes(
    what: string,
    entities: readonly AskedEntity[],
    messages: readonly ChatMessage[],
    signal: AbortSignal | undefined,
  ): Promise<ReadonlyMap<string, string>>;
}

/**
 * Returns the functions that ask the model.
 *
 * @param variables the prompts that can be replaced, with the variables that each must have
 * @throws MnemoraError `invalid-option` if a prompt does not have exactly its variables
 */
export function askModel<Name extends string>(
  llm: LLM,
  settings: ModelSettings<Name>,
  variables: Readonly<Record<Name, readonly string[]>>,
): ModelAsker<Name> {
  const { maxTokens, temperature, maxInputCharacters: maxCharacters = 60_000 } = settings;
  const { human = 'Human', ai = 'AI', tool = 'Tool' } = settings.labels ?? {};
  const labels = { human, ai, tool };
  const templates = readPrompts(settings.prompts ?? {}, variables);
  let takesJSON = true;

  async function ask(
    messages: readonly ChatMessage[],
    signal: AbortSignal | undefined,
    format: Pick<LLMRequest, 'responseFormat'> = {},
  ): Promise<string> {
    const { text } = await callLLM(llm, {
      ...(maxTokens === undefined ? {} : { maxTokens }),
      ...(temperature === undefined ? {} : { temperature }),
      messages,
      ...(signal ? { signal } : {}),
      ...format,
    });
    return text;
  }

  async function askForJSON(
    messages: readonly ChatMessage[],
    signal: AbortSignal | undefined,
  ): Promise<string> {
    if (!takesJSON) return ask(messages, signal);
    try {
      return await ask(messages, signal, { responseFormat: 'json' });
    } catch (error) {
      if (!mayRefuseJSON(error)) throw error;
      // Some endpoints do not support the JSON format and only report a bad request.
      const text = await ask(messages, signal);
      takesJSON = false;
      return text;
    }
  }

  return {
    labels,
    maxCharacters,
    askForJSON,
    async askFor(name, values, prompt, signal) {
      const short = Object.fromEntries(
        Object.entries(values).map(([key, value]) => [key, shorten(value, maxCharacters)]),
      ) as typeof values;
      const content = templates.get(name)?.format(short) ?? prompt(labels, short);
      return ask([{ role: 'user', content }], signal);
    },
    async askForNotes(what, entities, messages, signal) {
      const reply = await askForJSON(messages, signal);
      const updates = readUpdates(reply, entities);
      if (!updates) throw noAnswer(what, reply);
      return updates;
    },
  };
}

/** Returns the error for a reply that does not contain what was asked for. */
export function noAnswer(what: string, reply: string): MnemoraError {
  return new MnemoraError(
    'llm-reply',
    `The model was asked for ${what} but replied ${JSON.stringify(reply.slice(0, 80))}. Nothing was changed.`,
  );
}

function readPrompts<Name extends string>(
  prompts: Prompts<Name>,
  variables: Readonly<Record<Name, readonly string[]>>,
): ReadonlyMap<string, PromptTemplate> {
  const names = Object.keys(variables) as Name[];
  const given = names.flatMap((name) => {
    const prompt = prompts[name];
    return prompt === undefined ? [] : [[name, readTemplate(name, prompt, variables[name])] as const];
  });
  return new Map(given);
}

function readTemplate(
  name: string,
  given: string | PromptTemplate,
  wanted: readonly string[],
): PromptTemplate {
  const template = typeof given === 'string' ? promptTemplate(given) : given;
  if (typeof template?.format !== 'function' || !Array.isArray(template.variables)) {
    throw invalidOption(`The prompt "${name}" must be a string or a promptTemplate(…).`);
  }
  const has: readonly unknown[] = template.variables;
  if (has.length === wanted.length && wanted.every((variable) => has.includes(variable))) return template;
  throw invalidOption(
    `The prompt "${name}" must have exactly the variables ${list(wanted)}, but has ${list(has)}.`,
  );
}

function list(names: readonly unknown[]): string {
  return names.length === 0 ? 'none' : names.map((name) => `{${String(name)}}`).join(', ');
}

function mayRefuseJSON(error: unknown): boolean {
  return (
    error instanceof MnemoraError &&
    error.code === 'llm-http' &&
    (error.status === 400 || error.status === 422)
  );
}
