import { playwright } from '@vitest/browser-playwright';
import { defineConfig, type ViteUserConfig } from 'vitest/config';
import { CHROMIUM_FLAGS, findChromium } from './scripts/chromium.ts';

const chromiumPath = findChromium();

const config: ViteUserConfig = defineConfig({
  root: import.meta.dirname,
  base: './',
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          environment: 'node',
          include: ['test/unit/**/*.test.ts', 'test/contracts/**/*.unit.test.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          testTimeout: 30_000,
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
    ],
  },
});

export default config;
