import { Chat } from '@ai-sdk/svelte';
import { DefaultChatTransport } from 'ai';
import { loadUIMessages, memoryTransport } from 'mnemora/ai-sdk';
import { mount } from 'svelte';
import { openPageMemory } from '../../page-memory.ts';
import Chats from './chats.svelte';

const { memory, pageMemory } = await openPageMemory();
const transport = memoryTransport(memory, { transport: new DefaultChatTransport({ api: '/api/chat' }) });
const open = async (id: string): Promise<Chat> =>
  // The page is built with `ai` 6, whose types are not those of 7.
  new Chat({ id, transport, messages: await loadUIMessages(memory, id) } as never);
mount(Chats, { target: document.body, props: { memory, open, first: await open('trip') } });
Object.assign(window, { pageMemory });
