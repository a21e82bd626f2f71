import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { build } from 'vite';
import { compileWat } from '../../../scripts/compile-wat.ts';
import { openDemoBrowser } from '../demo-driver.ts';
import { serveFolder } from '../package/static-server.ts';
import type { ServiceWorkerResult } from './page/page.ts';

it('PKG-21: in a service worker that is bundled into one file, everything works but embeddings', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'mnemora-service-worker-'));
  await build({
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    plugins: [compileWat()],
    build: {
      outDir: folder,
      target: 'es2022',
      lib: {
        entry: join(import.meta.dirname, 'page/page.ts'),
        formats: ['iife'],
        name: 'serviceWorker',
        fileName: () => 'service-worker.js',
      },
      rolldownOptions: { output: { codeSplitting: false } },
    },
  });
  await writeFile(join(folder, 'index.html'), '<!doctype html><title>A page with a service worker</title>');
  const server = await serveFolder(folder, "script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'");
  const browser = await openDemoBrowser([new URL(server.url).origin]);
  try {
    await browser.page.goto(server.url);
    const result = await browser.page.evaluate(async () => {
      await navigator.serviceWorker.register('./service-worker.js');
      const { active } = await navigator.serviceWorker.ready;
      return new Promise<ServiceWorkerResult>((resolve) => {
        navigator.serviceWorker.addEventListener('message', ({ data }) => resolve(data));
        navigator.serviceWorker.startMessages();
        active?.postMessage('use the memory');
      });
    });
    expect(result.warnings).toEqual(['model-unavailable']);
    expect(result.recalled).toContain('My dog is called Max.');
    expect(result.found).toBe(1);
    expect(result.facts).toEqual(['user has dog Max']);
    expect(result.exportedBytes).toBeGreaterThan(0);
    expect(browser.outsideRequests).toEqual([]);
  } finally {
    await browser.close();
    await server.close();
    await rm(folder, { recursive: true, force: true });
  }
});
