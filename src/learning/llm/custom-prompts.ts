import { promptTemplate, type PromptTemplate } from '../../llm/prompt-template.ts';
import { checkOptionNames } from '../../model/check-options.ts';
import { MnemoraError } from '../../model/error.ts';

/** The prompts that can be replaced, and the variables that each of them must contain. */
const PROMPT_VARIABLES: Readonly<Record<PromptName, readonly string[]>> = {
  summary: ['summary', 'new_lines'],
  entityExtraction: ['history', 'input'],
  entitySummarization: ['entity', 'summary', 'history', 'input'],
  kgExtraction: ['history', 'input'],
};

export type PromptName = 'summary' | 'entityExtraction' | 'entitySummarization' | 'kgExtraction';

/** Custom prompts. Each is a template text or a template. */
export type LlmPrompts = { readonly [Name in PromptName]?: string | PromptTemplate };

export type PromptTemplates = ReadonlyMap<PromptName, PromptTemplate>;

/** @throws MnemoraError `invalid-option` if a name is unknown or a prompt does not have exactly its variables */
export function readPrompts(prompts: LlmPrompts): PromptTemplates {
  const names = Object.keys(PROMPT_VARIABLES) as PromptName[];
  checkOptionNames('prompts', prompts, names);
  return new Map(
    names.flatMap((name): [PromptName, PromptTemplate][] => {
      const given = prompts[name];
      return given === undefined ? [] : [[name, readTemplate(name, given)]];
    }),
  );
}

function readTemplate(name: PromptName, given: string | PromptTemplate): PromptTemplate {
  const template = typeof given === 'string' ? promptTemplate(given) : given;
  if (typeof template?.format !== 'function' || !Array.isArray(template.variables)) {
    throw new MnemoraError('invalid-option', `The prompt "${name}" must be a string or a promptTemplate(…).`);
  }
  const wanted = PROMPT_VARIABLES[name];
  const has: readonly unknown[] = template.variables;
  if (has.length === wanted.length && wanted.every((variable) => has.includes(variable))) return template;
  throw new MnemoraError(
    'invalid-option',
    `The prompt "${name}" must have exactly the variables ${list(wanted)}, but has ${list(has)}.`,
  );
}

function list(names: readonly unknown[]): string {
  return names.length === 0 ? 'none' : names.map((name) => `{${String(name)}}`).join(', ');
}
