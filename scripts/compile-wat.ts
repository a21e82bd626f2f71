import { readFile } from 'node:fs/promises';
import type { Plugin } from 'vite';
import createCompiler from 'wabt';

/** Returns a Vite plugin that compiles an import of WebAssembly text (`.wat`) to the module's bytes in base64. */
export function compileWat(): Plugin {
  return {
    name: 'mnemora-wat',
    enforce: 'pre',
    async load(id) {
      if (!id.endsWith('.wat')) return;
      const compiler = await createCompiler();
      const module = compiler.parseWat(id, await readFile(id, 'utf8'), { simd: true });
      try {
        module.validate();
        const { buffer } = module.toBinary({});
        return `export default ${JSON.stringify(Buffer.from(buffer).toString('base64'))};`;
      } finally {
        module.destroy();
      }
    },
  };
}
