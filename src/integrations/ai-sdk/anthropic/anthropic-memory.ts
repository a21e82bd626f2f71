import type { Memory } from '../../../index.ts';
import { checkMemory } from '../../../model/check-memory.ts';
import { checkOptions, wholeNumber } from '../../../model/check-options.ts';
import { defined } from '../../../model/defined.ts';
import { raiseWarning } from '../../../model/memory-warnings.ts';
import { oneAtATime } from '../../../model/named-queue.ts';
import type { AnthropicMemoryAction, AnthropicMemoryOptions } from './memory-commands.ts';

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

const LIMITS = {
  maxFileCharacters: wholeNumber(1),
  maxFiles: wholeNumber(1),
  maxCharacters: wholeNumber(1),
};
const DEFAULTS = { maxFileCharacters: 100_000, maxFiles: 1_000, maxCharacters: 2_000_000 };
const NAMESPACE = 'anthropic-memory';

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
  const limits = { ...DEFAULTS, ...defined(checkOptions('anthropicMemoryHandlers', options, LIMITS)) };

  const reported = async <T>(work: Promise<T>, signal?: AbortSignal): Promise<T> => {
    try {
      return await work;
    } catch (cause) {
      const message = 'A file of the memory tool was not read or stored.';
      if (!signal?.aborted) raiseWarning(memory, { code: 'memory-skipped', message, cause });
      throw cause;
    }
  };
  const run = async (action: unknown, signal: AbortSignal | undefined): Promise<string> => {
    signal?.throwIfAborted();
    // Loaded when a model first uses the tool.
    const loaded = Promise.all([import('./memory-commands.ts'), import('./memory-file-store.ts')]);
    const [{ runCommand }, { loadFiles, saveChanges }] = await reported(loaded, signal);
    const stored = await reported(loadFiles(records, defined({ signal })), signal);
    const { reply, stored: shown, changes } = runCommand(stored.files, action, limits);
    const quoted = shown === undefined ? '' : `\n${await reported(memory.quote(shown), signal)}`;
    await reported(saveChanges(records, stored, changes));
    return `${reply}${quoted}`;
  };
  const inTurn = (work: () => Promise<string>): Promise<string> => oneAtATime(memory, NAMESPACE, work);
  const handler =
    <Command extends AnthropicMemoryAction['command']>(command: Command): Handler<Command> =>
    (action) =>
      inTurn(() => run({ ...action, command }, undefined));

  return {
    view: handler('view'),
    create: handler('create'),
    str_replace: handler('str_replace'),
    insert: handler('insert'),
    delete: handler('delete'),
    rename: handler('rename'),
    execute: (action, { abortSignal } = {}) => inTurn(() => run(action, abortSignal)),
  };
}
