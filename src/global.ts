// What the script tag defines under `Mnemora`: all that the other entries export.
export * from './index.ts';
export * from './langchain.ts';
export * from './langchain4j.ts';
export * from './graph.ts';
export * from './search.ts';
export * from './extract.ts';
