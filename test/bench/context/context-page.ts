import { playChat } from './play-chat.ts';

declare global {
  interface Window {
    playChat: typeof playChat;
  }
}

window.playChat = playChat;
