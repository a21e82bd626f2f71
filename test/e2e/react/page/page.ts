import { createElement, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from '../../../../demo/examples/react-memory.tsx';
import type { LLM } from '../../../../src/index.ts';

declare global {
  interface Window {
    readonly chat: {
      /** Lets the model end the answer that it has begun. */
      finishAnswer(): void;
      unmount(): void;
      /** Connections to databases: how many were opened so far, and how many of them are open now. */
      connections(): { opened: number; open: number };
    };
  }
}

let finishAnswer: () => void = () => undefined;
const llm: LLM = async ({ onToken }) => {
  onToken?.('Nice to ');
  await new Promise<void>((resolve) => (finishAnswer = resolve));
  onToken?.('meet you.');
  return { text: 'Nice to meet you.' };
};

let opened = 0;
const connections = new Set<IDBDatabase>();
const { open } = IDBFactory.prototype;
IDBFactory.prototype.open = function (...parameters) {
  const request = open.apply(this, parameters);
  request.addEventListener('success', () => {
    opened += 1;
    connections.add(request.result);
  });
  return request;
};
const { close } = IDBDatabase.prototype;
IDBDatabase.prototype.close = function () {
  connections.delete(this);
  close.call(this);
};

const root = createRoot(document.getElementById('root') ?? document.body);
root.render(createElement(StrictMode, undefined, createElement(App, { llm })));
Object.assign(window, {
  chat: {
    finishAnswer: () => finishAnswer(),
    unmount: () => root.unmount(),
    connections: () => ({ opened, open: connections.size }),
  },
});
