import type { TestProject } from 'vitest/node';
import { startScriptedLLMServer } from './scripted-llm-server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Origin of the scripted model server, without a slash at the end. */
    llmServerOrigin: string;
  }
}

/** Runs one scripted model server beside the browser tests; each test file uses a channel of its own. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startScriptedLLMServer();
  project.provide('llmServerOrigin', new URL(server.url).origin);
  return () => server.close();
}
