import { createRoot } from 'react-dom/client';
import '../page.css';
import { openChat } from '../../ai-sdk.tsx';
import { scriptedModel } from '../scripted-model.ts';

const chatId = new URLSearchParams(location.search).get('chat') ?? 'first';
createRoot(document.getElementById('root') ?? document.body).render(await openChat(scriptedModel, chatId));
