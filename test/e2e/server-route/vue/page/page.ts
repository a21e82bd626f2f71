import { Chat } from '@ai-sdk/vue';
import { DefaultChatTransport } from 'ai';
import { loadUIMessages, memoryTransport } from 'mnemora/ai-sdk';
import { createApp } from 'vue';
import { openPageMemory } from '../../page-memory.ts';
import { chats, type VueChat } from './chats.ts';

const { memory, pageMemory } = await openPageMemory();
const transport = memoryTransport(memory, { transport: new DefaultChatTransport({ api: '/api/chat' }) });
const open = async (id: string): Promise<VueChat> =>
  // The page is built with `ai` 6, whose types are not those of 7.
  new Chat({ id, transport, messages: await loadUIMessages(memory, id) } as never);
const main = document.body.appendChild(document.createElement('main'));
createApp(chats(memory, open, await open('trip'))).mount(main);
Object.assign(window, { pageMemory });
