import { availableParallelism } from 'node:os';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig, type TestProjectConfiguration, type ViteUserConfig } from 'vitest/config';
import type { BrowserConfigOptions } from 'vitest/node';
import { CHROMIUM_FLAGS, type Engine, findEngine } from './scripts/engines.ts';
import { compileWat } from './scripts/compile-wat.ts';
import { serveAssets } from './scripts/serve-assets.ts';
import { engineProvider } from './test/engines/engine-provider.ts';

const chromiumPath = findEngine('chromium');

/** Vitest's own number of files that run at the same time, but two also where there are only two cores. */
const WORKERS = Math.max(2, Math.min(12, availableParallelism() - 1));

const config: ViteUserConfig = defineConfig({
  root: import.meta.dirname,
  base: './',
  cacheDir: '.cache/vite',
  plugins: [serveAssets(), serveAssets('/mnemora/'), compileWat()],
  // The examples and the blocks of the documents import the package by its name.
  resolve: { tsconfigPaths: true },
  // Named so that none is found, and the page reloaded, in the middle of a test.
  optimizeDeps: {
    include: [
      'js-tiktoken/lite',
      'js-tiktoken/ranks/o200k_base',
      'js-tiktoken/ranks/cl100k_base',
      'stemmer',
      'graphology',
      'idb',
      'compromise/two',
      'marked',
      'dompurify',
      'fast-check',
      'ai',
      'ai/test',
      '@assistant-ui/react',
      '@assistant-ui/react-ai-sdk',
      '@ai-sdk/react',
      'react',
      'react-dom/client',
      'react-dom',
      'react-dom/server',
      '@langchain/classic/chains',
      '@langchain/classic/memory',
      '@langchain/core/messages',
      '@langchain/core/outputs',
      '@langchain/core/prompts',
      '@langchain/core/runnables',
      '@langchain/core/utils/testing',
      '@openai/agents',
      '@openai/agents/testing',
      'deep-chat',
    ],
  },
  test: {
    // Far longer than anything takes, also on a machine that does other work.
    expect: { poll: { timeout: 60_000 } },
    reporters: [
      'default',
      ['json', { outputFile: `.cache/test-results/${process.env['MNEMORA_TEST_RUN'] ?? 'last'}.json` }],
    ],
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          environment: 'node',
          include: ['test/unit/**/*.test.ts', 'test/contracts/**/*.unit.test.ts'],
          testTimeout: 600_000,
          hookTimeout: 600_000,
          maxWorkers: WORKERS,
        },
      },
      browserProject('browser', {
        provider: playwright({
          launchOptions: {
            args: [...CHROMIUM_FLAGS],
            ...(chromiumPath === undefined ? {} : { executablePath: chromiumPath }),
          },
        }),
        instances: [{ browser: 'chromium' }],
      }),
      engineProject('firefox'),
      engineProject('webkit'),
      {
        extends: true,
        test: {
          name: 'e2e',
          environment: 'node',
          include: ['test/e2e/**/*.test.ts'],
          globalSetup: ['test/e2e/demo-global-setup.ts'],
          // Each of them starts browsers of several processes.
          maxWorkers: 2,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});

function engineProject(engine: Engine): TestProjectConfiguration {
  return browserProject(engine, { provider: engineProvider(engine), instances: [{ browser: engine }] });
}

/** The tests in `test/browser`, in one browser. */
function browserProject(
  name: string,
  browser: Pick<BrowserConfigOptions, 'provider' | 'instances'>,
): TestProjectConfiguration {
  return {
    extends: true,
    test: {
      name,
      include: ['test/browser/**/*.test.ts'],
      globalSetup: ['test/fakes/llm-global-setup.ts', 'test/docs/blocks-global-setup.ts'],
      testTimeout: 120_000,
      hookTimeout: 120_000,
      // In Chromium, files that run at the same time have a browser context each, and so share neither databases nor
      // locks nor channels. Firefox and WebKit run one file at a time, as their provider says.
      maxWorkers: WORKERS,
      browser: { enabled: true, headless: true, screenshotFailures: false, ...browser },
    },
  };
}

export default config;
