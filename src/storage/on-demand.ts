// Rarely used operations of a database, in one module that a page loads on first need.
export { erase, makeRoom, selectErasure } from './erase.ts';
export { eraseName } from './forgetting/erase-name.ts';
export { eraseOrPreview } from './forgetting/preview.ts';
export { recordStore } from './record-store.ts';
export { planReplacement, REPLACEMENT_STORES } from './transcript/replace-turn.ts';
