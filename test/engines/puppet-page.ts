/** A function that the server asks a page to run. */
export interface Command {
  readonly id: number;
  readonly source: string;
  readonly argument: unknown;
}

/** What came of a command. */
export interface Result {
  readonly id: number;
  readonly value?: unknown;
  readonly error?: string;
}

/**
 * Runs in the page the functions that the server sends to its tab, one after the other, whenever the page is shown. It
 * is also sent to pages as text, so it uses nothing from outside.
 *
 * A function that leaves the page returns a function that does so, which is called when no request is open: a page with
 * an open request does not go into the back/forward cache.
 */
export function takeCommands(): void {
  const tab = new URLSearchParams(location.search).get('tab') ?? '';
  const answerTo = async ({ source, argument }: Command): Promise<unknown> => {
    // eslint-disable-next-line no-implied-eval -- the page exists to run what the test sends
    const action = new Function(`return (${source})`)() as (input: unknown) => unknown;
    return action(argument);
  };
  const isFunction = (value: unknown): value is () => void => typeof value === 'function';
  /** Asks until there is an answer: a test may end the browser's network process. */
  const insist = async (path: string, request: RequestInit): Promise<string> => {
    for (;;) {
      try {
        return await (await fetch(path, request)).text();
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
  };
  const report = (result: Result): Promise<string> =>
    insist('/puppet/result', { method: 'POST', body: JSON.stringify(result) });
  const take = async (): Promise<void> => {
    for (;;) {
      // After going back, a browser may answer from its cache, and the page would do its last command again.
      const command = JSON.parse(await insist(`/puppet/next?tab=${tab}`, { cache: 'no-store' })) as Command;
      const { id } = command;
      const value: unknown = await answerTo(command).catch((error: unknown) => ({ error }));
      if (isFunction(value)) {
        await report({ id });
        value();
        return;
      }
      const isError = typeof value === 'object' && value !== null && 'error' in value;
      await report(isError ? { id, error: String(value.error) } : { id, value });
    }
  };
  window.addEventListener('pageshow', () => void take());
}
