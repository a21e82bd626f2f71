import { defineBrowserProvider } from '@vitest/browser';
import type { BrowserProviderOption } from 'vitest/node';
import type { Engine } from '../../scripts/engines.ts';
import { type LaunchedEngine, launchEngine } from './launch-engine.ts';

/**
 * Runs Vitest's browser tests in a browser of the system. Vitest's page connects to its server by itself, so the browser
 * needs no driver; tests that need one (CDP, Playwright's commands) do not run in it.
 */
export function engineProvider(engine: Engine): BrowserProviderOption {
  return defineBrowserProvider({
    name: 'engine',
    supportedBrowser: [engine],
    providerFactory: () => {
      let browser: Promise<LaunchedEngine> | undefined;
      return {
        name: 'engine',
        supportsParallelism: false,
        getCommandsContext: () => ({}),
        openPage: async (_sessionId, url) => {
          browser ??= launchEngine(engine);
          (await browser).open(url);
        },
        close: async () => (await browser)?.close(),
      };
    },
  });
}
