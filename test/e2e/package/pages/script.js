import { tellAndAsk } from './scenario.js';

// The assets lie beside the script, where the library looks by default.
globalThis.openMemory = () => globalThis.Mnemora.createMemory();
globalThis.tellAndAsk = async () => tellAndAsk(await globalThis.openMemory());
