import type { Browser, Page } from 'playwright';
import { serveFolder } from './static-server.ts';

/** A page in a browser context of its own that gets nothing but what the server of its folder sends. */
export interface Visit {
  readonly page: Page;
  /** Where the server's folder is, with a slash at the end. */
  readonly url: string;
  /** Paths that the server was asked for, by the page or a worker. */
  readonly served: readonly string[];
  /** Addresses of other origins that were asked for; none got an answer. */
  readonly outside: readonly string[];
  /** What broke the policy, as the browser reported it. */
  readonly violations: readonly string[];
  /** Errors that nobody caught, and answers of 400 and above. */
  readonly failures: readonly string[];
  close(): Promise<void>;
}

/** Serves `folder` under a Content-Security-Policy and opens the page at `path` in it. */
export async function visitPage(
  browser: Browser,
  folder: string,
  path: string,
  policy: string,
): Promise<Visit> {
  const server = await serveFolder(folder, policy);
  const context = await browser.newContext();
  const outside: string[] = [];
  const failures: string[] = [];
  context.on('request', (request) => {
    if (!request.url().startsWith(server.url)) outside.push(request.url());
  });
  context.on('response', (response) => {
    if (response.status() >= 400) failures.push(`${response.status()} ${response.url()}`);
  });
  await context.route('**/*', (route) =>
    route.request().url().startsWith(server.url) ? route.continue() : route.abort(),
  );
  const page = await context.newPage();
  page.on('pageerror', (error) => failures.push(String(error)));
  await page.goto(`${server.url}${path}`);
  return {
    page,
    url: server.url,
    served: server.served,
    outside,
    failures,
    violations: server.violations,
    async close() {
      await context.close();
      await server.close();
    },
  };
}
