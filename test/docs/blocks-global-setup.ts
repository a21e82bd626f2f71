import { codeBlocks, writeBlocks } from './code-blocks.ts';

/** Writes the blocks of the documents to where the browser tests import them from. */
export default function setup(): void {
  writeBlocks('pages', codeBlocks());
}
