import { createMemory } from 'mnemora';

globalThis.openMemory = () => createMemory({ assetsUrl: new URL('mnemora/', document.baseURI).href });
