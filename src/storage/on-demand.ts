// What a database does now and then, in one piece that a page loads when it is first needed.
export { erase, makeRoom, selectErasure } from './erase.ts';
export { eraseName } from './forgetting/erase-name.ts';
export { eraseOrPreview } from './forgetting/preview.ts';
export { recordStore } from './record-store.ts';
export { planReplacement, REPLACEMENT_STORES } from './transcript/replace-turn.ts';
