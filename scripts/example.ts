import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createServer } from 'vite';
import { compileWat } from './compile-wat.ts';
import { serveAssets } from './serve-assets.ts';

const ROOT = join(import.meta.dirname, '..');
const PAGES = join(ROOT, 'demo/examples/pages');
const DEFAULT_PORT = 5173;

const say = (line: string): void => void process.stdout.write(`${line}\n`);

const entries = readdirSync(PAGES, { withFileTypes: true });
const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
const [wanted] = process.argv.slice(2);
if (wanted !== undefined && names.includes(wanted)) {
  say(`The example ${wanted} is at ${await serve(wanted)} (end with Ctrl+C)`);
} else {
  if (wanted !== undefined) process.exitCode = 1;
  say(`npm run example NAME, where NAME is one of: ${names.join(', ')}`);
}

/** Serves an example as it is in the source, and what memory needs under the address that the examples name. */
async function serve(name: string): Promise<string> {
  const server = await createServer({
    configFile: false,
    root: join(PAGES, name),
    cacheDir: join(ROOT, '.cache/vite-example', name),
    logLevel: 'error',
    plugins: [serveAssets('/mnemora/'), compileWat()],
    resolve: { tsconfigPaths: true },
    build: { target: 'es2022' },
    server: {
      port: Number(process.env['PORT'] ?? DEFAULT_PORT),
      host: 'localhost',
      fs: { allow: [ROOT] },
      // The policy that the guide names, so that the browser refuses whatever would leave this server.
      headers: {
        'content-security-policy':
          "script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; form-action 'self'",
      },
    },
  });
  await server.listen();
  const [url] = server.resolvedUrls?.local ?? [];
  if (url === undefined) throw new Error('The server for the example has no address.');
  return url;
}
