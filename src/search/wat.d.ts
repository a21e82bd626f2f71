/** A module written as WebAssembly text: `scripts/compile-wat.ts` makes it the module's bytes, in base64. */
declare module '*.wat' {
  const base64: string;
  export default base64;
}
