import { createMemory } from 'mnemora';
import { tellAndAsk } from './scenario.js';

globalThis.tellAndAsk = async () => tellAndAsk(await createMemory({ assetsUrl: '/mnemora/' }));
