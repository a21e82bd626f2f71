import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildDemo } from '../../scripts/build-demo.ts';
import { serveDemo } from '../../scripts/serve-demo.ts';
import {
  type ScriptedLLMServer,
  type ScriptedLLMServerOptions,
  startScriptedLLMServer,
} from '../fakes/scripted-llm-server.ts';

/** The built demo on a port of its own, and a model endpoint beside it. */
export interface DemoServers {
  readonly demoUrl: string;
  readonly llm: ScriptedLLMServer;
  readonly origins: readonly string[];
  stopDemo(): Promise<void>;
  close(): Promise<void>;
}

const FIRST_PORT = 5400;

/** Where nothing is queued, the model answers "Understood." */
export async function startDemoServers(): Promise<DemoServers> {
  const outputFolder = await mkdtemp(join(tmpdir(), 'mnemora-demo-'));
  const demo = await serveDemo(await buildDemo({ outputFolder }), FIRST_PORT);
  const llm = await startScriptedLLMServer({ respond: understood });
  let isServing = true;
  const stopDemo = async (): Promise<void> => {
    if (!isServing) return;
    isServing = false;
    await demo.close();
  };
  const close = async (): Promise<void> => {
    await stopDemo();
    await llm.close();
    await rm(outputFolder, { recursive: true, force: true });
  };
  return {
    demoUrl: demo.url,
    llm,
    origins: [new URL(demo.url).origin, new URL(llm.url).origin],
    stopDemo,
    close,
  };
}

const understood: NonNullable<ScriptedLLMServerOptions['respond']> = () => ({
  kind: 'reply',
  text: 'Understood.',
});
