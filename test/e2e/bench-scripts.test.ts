import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import type { NaturalChat } from '../bench/context/natural-chats.ts';
import {
  startScriptedLLMServer,
  type RecordedRequest,
  type ScriptedLLMServer,
  type ScriptedReply,
} from '../fakes/scripted-llm-server.ts';

const ROOT = join(import.meta.dirname, '../..');

const CHAT: NaturalChat = {
  id: 'tiny',
  messages: [
    { role: 'user', content: 'I live in Lyon with my cat Miso.', at: '2026-01-01T10:00:00Z', session: 'a' },
    { role: 'assistant', content: 'Lovely!', at: '2026-01-01T10:00:08Z', session: 'a' },
  ],
  facts: [{ about: ['user'], relation: ['live'], object: [['lyon']], maxWords: 2, holds: true, evidence: 0 }],
  traps: [],
  asks: [
    { question: 'Where do I live?', needs: [['lyon']], kind: 'direct' },
    { question: "What is my cat's name?", needs: [['miso']], kind: 'who' },
    { question: 'What is the square root of 144?', needs: [], kind: 'unrelated' },
  ],
};

let folder: string;
let chats: string;
let everyday: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mnemora-bench-scripts-'));
  chats = join(folder, 'chats.json');
  everyday = join(folder, 'everyday.json');
  await writeFile(chats, JSON.stringify([CHAT]));
  const requests = ['What is a prime?', 'Name three rivers.'].map((user) => ({
    user,
    assistant: 'Here you are.',
  }));
  await writeFile(everyday, JSON.stringify(requests));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

interface Ended {
  code: number | null;
  lines: string[];
  errors: string;
}

interface Running {
  interrupt: () => void;
  ended: Promise<Ended>;
}

function run(script: string, ...args: readonly string[]): Running {
  const child = spawn(process.execPath, ['--import', 'tsx', `test/bench/${script}`, ...args], { cwd: ROOT });
  let output = '';
  let errors = '';
  child.stdout.on('data', (data: Buffer) => (output += data.toString()));
  child.stderr.on('data', (data: Buffer) => (errors += data.toString()));
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, lines: output.trimEnd().split('\n'), errors }));
  });
  return { interrupt: () => child.kill('SIGINT'), ended };
}

async function serve(respond: (request: RecordedRequest) => ScriptedReply): Promise<ScriptedLLMServer> {
  const server = await startScriptedLLMServer({ respond });
  onTestFinished(() => server.close());
  return server;
}

function asJson({ lines }: Ended): unknown {
  return JSON.parse(lines.at(-1) ?? '');
}

const OPTIONS = ['--budget', '1000,350', '--profile', '5', '--facts'] as const;

it('BEN-11: bench:context plays a corpus plain and lengthened', async () => {
  const ended = await run('bench-context.ts', chats, '--everyday', everyday, ...OPTIONS).ended;
  expect(ended).toMatchObject({ code: 0 });
  expect(ended.lines).toContain('tiny | I live in Lyon with my cat Miso.');
  expect(ended.lines).toContain('tiny | user | lives in | Lyon');
  const figures = {
    conversations: 1,
    errors: 0,
    facts: { recall: 100 },
    asks: { direct: { n: 1, needsMet: 100 }, who: { n: 1, needsMet: 100 }, unrelated: { needsMet: null } },
    unrelated: { n: 1 },
    framed: { n: 1 },
  };
  expect(asJson(ended)).toMatchObject({
    budget: 1000,
    ...figures,
    lengthened: figures,
    further: [{ budget: 350, ...figures, lengthened: figures }],
  });
});

it('BEN-11: a benchmark prints its usage if called incorrectly', async () => {
  const { code, errors } = await run('bench-context.ts', chats, '--budget', 'all').ended;
  expect(code).toBe(2);
  expect(errors).toContain('--budget takes a whole number of at least 1, not "all".');
});

it('BEN-13: bench:answers asks with and without memory', async () => {
  const server = await serve(({ body }) => {
    const text = JSON.stringify(body.messages);
    return { kind: 'reply', text: `You named ${/Lyon|Miso/.test(text) ? 'Lyon and Miso' : 'nothing'}.` };
  });
  const ended = await run('bench-answers.ts', chats, '--url', server.url, '--model', 'scripted').ended;
  expect(ended).toMatchObject({ code: 0 });
  expect(asJson(ended)).toMatchObject({
    model: 'scripted',
    isComplete: true,
    errors: 0,
    asks: {
      direct: { n: 1, withMemory: 100, withoutMemory: 0 },
      who: { n: 1, withMemory: 100, withoutMemory: 0 },
    },
    all: { n: 2, withMemory: 100, withoutMemory: 0 },
  });
  // One to see that the model is there, and two an ask.
  expect(server.requests.map(({ body }) => body.model)).toEqual(Array.from({ length: 5 }, () => 'scripted'));
});

it('BEN-13: bench:answers reports that an endpoint rejects requests before anything is played', async () => {
  const server = await serve(() => ({
    kind: 'error',
    status: 401,
    body: { error: { message: 'no such key' } },
  }));
  const { code, errors } = await run('bench-answers.ts', chats, '--url', server.url, '--model', 'm').ended;
  expect(code).toBe(1);
  expect(errors).toContain('no such key');
  expect(errors).not.toContain('plain:');
  expect(server.requests).toHaveLength(1);
});

it('BEN-13: Ctrl-C ends the running request of bench:answers', async () => {
  const script = { interrupt: (): void => undefined };
  const server = await serve(() => {
    // After the greeting and the two answers to the first ask.
    if (server.requests.length < 4) return { kind: 'reply', text: 'Lyon' };
    script.interrupt();
    return { kind: 'hang' };
  });
  const running = run('bench-answers.ts', chats, '--url', server.url, '--model', 'm');
  script.interrupt = running.interrupt;
  const ended = await running.ended;
  expect(ended.code).toBe(130);
  expect(ended.errors).toContain('Interrupted.');
  expect(asJson(ended)).toMatchObject({ isComplete: false, errors: 0, all: { n: 1, withMemory: 100 } });
  expect(server.requests.at(-1)?.wasAborted).toBe(true);
});
