import { playwright } from '@vitest/browser-playwright';
import { defineConfig, type ViteUserConfig } from 'vitest/config';
import { CHROMIUM_FLAGS, findChromium } from './scripts/chromium.ts';
import { compileWat } from './scripts/compile-wat.ts';
import { serveAssets } from './scripts/serve-assets.ts';

const chromiumPath = findChromium();

const config: ViteUserConfig = defineConfig({
  root: import.meta.dirname,
  base: './',
  cacheDir: '.cache/vite',
  plugins: [serveAssets(), compileWat()],
  // Named so that none is found, and the page reloaded, in the middle of a test.
  optimizeDeps: {
    include: [
      'idb',
      'js-tiktoken/lite',
      'js-tiktoken/ranks/o200k_base',
      'js-tiktoken/ranks/cl100k_base',
      'stemmer',
      'graphology',
      'compromise/two',
      'fast-check',
      '@langchain/classic/chains',
      '@langchain/classic/memory',
      '@langchain/core/messages',
      '@langchain/core/outputs',
      '@langchain/core/prompts',
      '@langchain/core/runnables',
      '@langchain/core/utils/testing',
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
          testTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          globalSetup: ['test/fakes/llm-global-setup.ts'],
          testTimeout: 120_000,
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider: playwright({
              launchOptions: {
                args: [...CHROMIUM_FLAGS],
                ...(chromiumPath === undefined ? {} : { executablePath: chromiumPath }),
              },
            }),
            instances: [{ browser: 'chromium' }],
          },
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          environment: 'node',
          include: ['test/e2e/**/*.test.ts'],
          fileParallelism: false,
          testTimeout: 120_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});

export default config;
