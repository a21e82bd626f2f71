import { buildDemo } from './build-demo.ts';
import { serveDemo } from './serve-demo.ts';

const DEFAULT_PORT = 5173;

const say = (line: string): void => void process.stdout.write(`${line}\n`);

const folder = await buildDemo({ onStep: (line) => say(`${line} …`) });
const { url } = await serveDemo(folder, Number(process.env['PORT'] ?? DEFAULT_PORT));
say(`The demo is at ${url} (end with Ctrl+C)`);
