import { afterAll, inject } from 'vitest';
import { serveDemo } from '../../scripts/serve-demo.ts';
import {
  type RecordedRequest,
  type ScriptedLLMServerOptions,
  type ScriptedReply,
  startScriptedLLMServer,
} from '../fakes/scripted-llm-server.ts';
import { type DemoBrowser, openDemoBrowser } from './demo-driver.ts';

/** A model endpoint that separates requests of the chat from background requests. */
export interface DemoModel {
  readonly url: string;
  /** Requests of the chat, oldest first. */
  readonly requests: readonly RecordedRequest[];
  /** Background requests for facts and summaries, oldest first. */
  readonly backgroundRequests: readonly RecordedRequest[];
  /** Queues replies to the chat. Without a queued reply the answer is "Understood." */
  enqueue(...replies: ScriptedReply[]): void;
  /** Destroys the connections whose `cut` waits. */
  cut(): void;
  /** Queues replies to background requests. Without a queued reply, no facts are found. */
  enqueueBackground(...replies: ScriptedReply[]): void;
  /** Drops the unused replies to background requests. */
  clearBackground(): void;
}

/** A server of the built demo, and a model endpoint. */
export interface DemoServers {
  readonly demoUrl: string;
  readonly llm: DemoModel;
  readonly origins: readonly string[];
  stopDemo(): Promise<void>;
  close(): Promise<void>;
}

const FIRST_PORT = 5400;

/** Serves the demo and opens a browser for the tests of one file, and closes both after them. */
export async function openDemo(): Promise<{ servers: DemoServers; browser: DemoBrowser }> {
  const servers = await startDemoServers();
  const browser = await openDemoBrowser(servers.origins);
  afterAll(async () => {
    await browser.close();
    await servers.close();
  });
  return { servers, browser };
}

async function startDemoServers(): Promise<DemoServers> {
  const demo = await serveDemo(inject('demoFolder'), FIRST_PORT);
  const queued = { chat: [] as ScriptedReply[], background: [] as ScriptedReply[] };
  const llm = await startScriptedLLMServer({
    respond: (request) =>
      isBackground(request)
        ? (queued.background.shift() ?? nothingToLearn(request))
        : (queued.chat.shift() ?? understood(request)),
  });
  let isServing = true;
  const stopDemo = async (): Promise<void> => {
    if (!isServing) return;
    isServing = false;
    await demo.close();
  };
  const close = async (): Promise<void> => {
    await stopDemo();
    await llm.close();
  };
  return {
    demoUrl: demo.url,
    llm: {
      url: llm.url,
      cut: () => llm.cut(),
      get requests() {
        return llm.requests.filter((request) => !isBackground(request));
      },
      get backgroundRequests() {
        return llm.requests.filter(isBackground);
      },
      enqueue: (...replies) => void queued.chat.push(...replies),
      enqueueBackground: (...replies) => void queued.background.push(...replies),
      clearBackground: () => void queued.background.splice(0),
    },
    origins: [new URL(demo.url).origin, new URL(llm.url).origin],
    stopDemo,
    close,
  };
}

type Respond = NonNullable<ScriptedLLMServerOptions['respond']>;

/** Background requests contain the conversation as quoted data. */
function isBackground({ body }: RecordedRequest): boolean {
  return JSON.stringify(body.messages).includes('<data>');
}

/** A reply without facts, or a summary, depending on the request. */
const nothingToLearn: Respond = ({ body }) => ({
  kind: 'reply',
  text: JSON.stringify(body.messages).includes('running summary')
    ? 'They talked about this and that.'
    : '{"entities":[],"facts":[]}',
});

const understood: Respond = () => ({
  kind: 'reply',
  text: 'Understood.',
});
