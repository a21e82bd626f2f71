import { newId } from '../../src/model/id.ts';
import { Connection } from '../../src/storage/connection.ts';
import { describeEngine } from '../contracts/engine-contract.ts';

describeEngine('Connection', async () => {
  const connection = new Connection({ name: newId() });
  await connection.open();
  return connection;
});
