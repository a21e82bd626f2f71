import type { Memory } from '../../../index.ts';
import { checkMemory, checkNames, invalidOption } from '../../checks.ts';
import type { AnthropicMemoryAction, MemoryFileLimits } from './memory-commands.ts';
import { oneAtATime } from '../one-at-a-time.ts';
import { raiseWarning } from '../../../model/memory-warnings.ts';

/** Lengths are in UTF-16 units. Only commands that make a file larger are refused. */
export interface AnthropicMemoryOptions {
  /** Maximum length of a file. @default 100_000 */
  maxFileCharacters?: number;
  /** Maximum number of files. @default 1_000 */
  maxFiles?: number;
  /** Maximum length of all files together. Every command reads all of them. @default 2_000_000 */
  maxCharacters?: number;
}

type Handler<Command extends AnthropicMemoryAction['command']> = (
  action: Extract<AnthropicMemoryAction, { command: Command }>,
) => Promise<string>;

/** A function for each command, and one for all. They resolve to the text for the model. */
export type AnthropicMemoryHandlers = {
  readonly [Command in AnthropicMemoryAction['command']]: Handler<Command>;
} & {
  /**
   * Runs a command of any kind.
   *
   * @param options.abortSignal rejects a command that has not changed anything yet
   */
  readonly execute: (
    action: AnthropicMemoryAction,
    options?: { abortSignal?: AbortSignal | undefined },
  ) => Promise<string>;
};

const DEFAULTS: MemoryFileLimits = { maxFileCharacters: 100_000, maxFiles: 1_000, maxCharacters: 2_000_000 };
const NAMESPACE = 'anthropic-memory';

const inTurn = oneAtATime();

/**
 * Returns the client side of Anthropic's memory tool `memory_20250818`, which stores its files in the memory, under
 * `/memories`. They are part of backups, and belong to no session: `forget({ everything: true })` erases them.
 *
 * Pass `execute` to `anthropic.tools.memory_20250818` of the AI SDK, or the whole object to `betaMemoryTool` of
 * `@anthropic-ai/sdk`.
 *
 * File contents in a reply are quoted in the same way as by `memory.quote`, because a file is data, whoever wrote it.
 *
 * A command that cannot be carried out rejects with a MnemoraError `invalid-input` whose message is meant for the
 * model: both packages send it as the tool's error. If the storage fails, a command rejects with its `storage-…` error,
 * and a `memory-skipped` warning is raised. Commands on one `Memory` object run one at a time. If two tabs change the
 * same file at the same time, the last write wins.
 *
 * @throws MnemoraError `invalid-option`
 *
 * @example
 * const { execute } = anthropicMemoryHandlers(memory);
 * const tools = { memory: anthropic.tools.memory_20250818({ execute }) };
 */
export function anthropicMemoryHandlers(
  memory: Memory,
  options: AnthropicMemoryOptions = {},
): AnthropicMemoryHandlers {
  const records = checkMemory(memory).records(NAMESPACE);
  const limits = limitsOf(options);

  const reported = async <T>(work: Promise<T>, signal?: AbortSignal): Promise<T> => {
    try {
      return await work;
    } catch (cause) {
      if (signal?.aborted !== true) {
        raiseWarning(memory, {
          code: 'memory-skipped',
          message: 'A file of the memory tool was not read or stored.',
          cause,
        });
      }
      throw cause;
    }
  };
  const run = async (action: unknown, signal: AbortSignal | undefined): Promise<string> => {
    signal?.throwIfAborted();
    // Loaded when a model first uses the tool.
    const loaded = Promise.all([import('./memory-commands.ts'), import('./memory-file-store.ts')]);
    const [{ runCommand }, { loadFiles, saveChanges }] = await reported(loaded, signal);
    const stored = await reported(loadFiles(records, signal ? { signal } : {}), signal);
    const { reply, stored: shown, changes } = runCommand(stored.files, action, limits);
    const quoted = shown === undefined ? '' : `\n${await reported(memory.quote(shown), signal)}`;
    await reported(saveChanges(records, stored, changes));
    return `${reply}${quoted}`;
  };
  const handler =
    <Command extends AnthropicMemoryAction['command']>(command: Command): Handler<Command> =>
    (action) =>
      inTurn(memory, () => run({ ...action, command }, undefined));

  return {
    view: handler('view'),
    create: handler('create'),
    str_replace: handler('str_replace'),
    insert: handler('insert'),
    delete: handler('delete'),
    rename: handler('rename'),
    execute: (action, { abortSignal } = {}) => inTurn(memory, () => run(action, abortSignal)),
  };
}

function limitsOf(options: AnthropicMemoryOptions): MemoryFileLimits {
  const names = Object.keys(DEFAULTS) as (keyof MemoryFileLimits)[];
  checkNames('anthropicMemoryHandlers', options, names);
  const limits = { ...DEFAULTS };
  for (const name of names) {
    const value: unknown = options[name];
    if (value === undefined) continue;
    if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 1) {
      throw invalidOption(`${name} must be a whole number greater than zero.`);
    }
    Object.assign(limits, { [name]: value });
  }
  return limits;
}
