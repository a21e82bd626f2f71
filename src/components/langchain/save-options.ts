import { checkMethods, checkOptionNames } from '../../model/check-options.ts';
import type { SaveContextOptions } from './memory.ts';

/** Refuses options of a save that it does not know: a misspelt turn id would store the turn twice. */
export function checkSaveOptions(options: SaveContextOptions): void {
  checkOptionNames('saveContext', options, OPTION_NAMES);
  if (options.signal !== undefined)
    checkMethods('signal', options.signal, ['throwIfAborted', 'addEventListener']);
}

const OPTION_NAMES: readonly (keyof SaveContextOptions)[] = ['turnId', 'signal'];
