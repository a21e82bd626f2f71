// Rarely used operations of a database, in one module that a page loads on first need.
export { eraseOrPreview, eraseSelected, selectErasure } from './forgetting/erase.ts';
export { eraseName } from './forgetting/erase-name.ts';
export { findNames } from './forgetting/find-names.ts';
export { recordStore } from './record-store.ts';
export { planReplacement, REPLACEMENT_STORES } from './transcript/replace-turn.ts';
