/** The prompts that components let the caller replace, each with its variables. */
const VARIABLES = {
  summary: ['summary', 'new_lines'],
  entityExtraction: ['history', 'input'],
  entitySummarization: ['summary', 'entity', 'history', 'input'],
  kgExtraction: ['history', 'input'],
} as const;

export type PromptName = keyof typeof VARIABLES;

const MARK = '\u001f';

/** Templates that print their name and their variables, so that the model's side can tell what it was asked with. */
export function printingPrompts(names: readonly PromptName[]): Record<string, string> {
  return Object.fromEntries(
    names.map((name) => [name, [name, ...VARIABLES[name].map((variable) => `{${variable}}`)].join(MARK)]),
  );
}

/** What a prompt that was made with {@link printingPrompts} says, as the cases write it. */
export function printedVariables(prompt: string): Readonly<Record<string, string>> {
  const [name = '', ...values] = prompt.split(MARK);
  const variables: readonly string[] = name in VARIABLES ? VARIABLES[name as PromptName] : [];
  return Object.fromEntries([
    ['prompt', name],
    ...variables.map((variable, index) => [variable, values[index] ?? ''] as const),
  ]);
}
