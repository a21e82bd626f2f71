globalThis.openMemory = () => globalThis.Mnemora.createMemory();
