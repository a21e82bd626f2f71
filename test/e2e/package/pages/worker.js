import { createMemory } from 'mnemora';
import { tellAndAsk } from './scenario.js';

addEventListener('message', () => {
  createMemory({ assetsUrl: '/mnemora/' })
    .then(tellAndAsk)
    .then(
      (seen) => postMessage({ seen }),
      (error) => postMessage({ failure: String(error) }),
    );
});
