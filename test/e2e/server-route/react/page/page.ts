import { DefaultChatTransport } from 'ai';
import { loadUIMessages, memoryTransport } from 'mnemora/ai-sdk';
import { createElement, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { openPageMemory } from '../../page-memory.ts';
import { Chats } from './chats.tsx';

const { memory, pageMemory } = await openPageMemory();
const transport = memoryTransport(memory, { transport: new DefaultChatTransport({ api: '/api/chat' }) });
const first = { id: 'trip', messages: await loadUIMessages(memory, 'trip') };
const root = createRoot(document.body.appendChild(document.createElement('main')));
root.render(createElement(StrictMode, undefined, createElement(Chats, { memory, transport, first })));
Object.assign(window, { pageMemory });
