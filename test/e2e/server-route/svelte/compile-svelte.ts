import { compile, compileModule } from 'svelte/compiler';
import { defaultClientConditions, type Plugin } from 'vite';

/** Compiles components of Svelte, and modules with runes, such as the one of `Chat`. */
export function compileSvelte(): Plugin {
  return {
    name: 'compile-svelte',
    config: () => ({ resolve: { conditions: ['svelte', ...defaultClientConditions] } }),
    transform(code, filename) {
      if (filename.endsWith('.svelte')) return compile(code, { filename }).js;
      if (filename.endsWith('.svelte.js')) return compileModule(code, { filename }).js;
      return undefined;
    },
  };
}
