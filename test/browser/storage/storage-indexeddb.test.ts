import { newId } from '../../../src/model/id.ts';
import { openDatabase } from '../../../src/sessions/open-database.ts';
import { Connection } from '../../../src/storage/connection.ts';
import { describeEngine } from '../../contracts/engine-contract.ts';
import { describeScopes } from '../../contracts/scopes-contract.ts';
import { describeStorage } from '../../contracts/storage-contract.ts';

describeEngine('Connection', async () => {
  const connection = new Connection({ name: newId() });
  await connection.open();
  return connection;
});

describeStorage(
  'A database in IndexedDB',
  () => openDatabase({ name: newId() }),
  () => openDatabase({ storage: 'memory' }),
);

describeScopes('A database in IndexedDB', () => openDatabase({ name: newId() }));
