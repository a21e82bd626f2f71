import { checkOptionNames } from '../../model/check-options.ts';
import type { Engine } from '../engine.ts';
import type { MemoryBackup } from './memory-backup.ts';

/** Returns the `backup` methods of a memory. @param sessionId the session that `rebuild` is called from */
export function openBackup(engine: Engine, sessionId: string): MemoryBackup {
  const { scope } = engine.settings;
  return {
    async export(options = {}) {
      checkOptionNames('backup.export', options, ['passphrase', 'signal', 'onProgress']);
      const { exportBackup } = await import('../../backup/export-backup.ts');
      return exportBackup(engine.stores.engine, { ...options, scope });
    },
    async import(backup, options = {}) {
      const { importBackup, IMPORT_OPTIONS } = await import('../../backup/import-backup.ts');
      checkOptionNames('backup.import', options, IMPORT_OPTIONS);
      const receipt = await importBackup(engine.stores.engine, backup, { ...options, scope });
      await engine.learning?.restate();
      await engine.stores.engine.losses?.acknowledge();
      engine.written();
      return receipt;
    },
    auto: async (options) => (await import('../auto-backup.ts')).autoBackup(engine, options),
    async verify(options = {}) {
      const { verifyDerived } = await import('../../backup/verify-derived.ts');
      return verifyDerived(engine.stores.engine, scope, options);
    },
    rebuild: async (options = {}) => (await import('../rebuild.ts')).rebuild(engine, sessionId, options),
  };
}
