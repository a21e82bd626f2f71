import { openDatabase } from '../../../src/sessions/open-database.ts';
import type { MemoryDatabase } from '../../../src/sessions/memory-database.ts';
import { MemoryEngine } from '../../../src/storage/memory-engine.ts';
import { describeEngine } from '../../contracts/engine-contract.ts';
import { describeScopes } from '../../contracts/scopes-contract.ts';
import { describeStorage } from '../../contracts/storage-contract.ts';

const open = (): Promise<MemoryDatabase> => openDatabase({ storage: 'memory' });

describeEngine('MemoryEngine', async () => new MemoryEngine());
describeStorage('A database in memory', open, open);
describeScopes('A database in memory', open);
