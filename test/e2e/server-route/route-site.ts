import type { Page } from 'playwright';
import { startScriptedLLMServer, type ScriptedLLMServer } from '../../fakes/scripted-llm-server.ts';
import { serveBuiltPage, type BuiltPageOptions } from '../built-page.ts';
import { type DemoBrowser, openDemoBrowser } from '../demo-driver.ts';
import type { StaticServer } from '../package/static-server.ts';
import { chatRoute, type Version } from './route.ts';

/** A page with a route that asks a scripted endpoint, and a browser for it. */
export interface RouteSite {
  readonly endpoint: ScriptedLLMServer;
  readonly server: StaticServer;
  readonly browser: DemoBrowser;
  /** Opens the page in one more tab, and resolves when it can be used. */
  openTab(): Promise<Page>;
  close(): Promise<void>;
}

/** Builds the page in a folder with a version of the SDK, and serves it together with the route. */
export async function openRouteSite(
  folder: string,
  version: Version,
  options: Pick<BuiltPageOptions, 'define' | 'plugins'> = {},
): Promise<RouteSite> {
  const endpoint = await startScriptedLLMServer();
  const server = await serveBuiltPage(folder, {
    ...options,
    alias: version === 'ai 6' ? { ai: 'ai-6' } : {},
    handle: chatRoute(version, endpoint.url),
  });
  const browser = await openDemoBrowser([new URL(server.url).origin]);
  return {
    endpoint,
    server,
    browser,
    async openTab() {
      const page = await browser.context.newPage();
      await page.goto(server.url);
      await pageReady(page);
      return page;
    },
    async close() {
      await browser.close();
      await server.close();
      await endpoint.close();
    },
  };
}

/** Resolves when a page that is being loaded can be used. */
export async function pageReady(page: Page): Promise<void> {
  await page.waitForFunction(() => 'pageMemory' in window);
}
