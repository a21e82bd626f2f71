import { openDatabase } from '../../../src/index.ts';
import { newId } from '../../../src/model/id.ts';
import { exportContract } from '../../contracts/export-contract.ts';

exportContract(() => openDatabase({ name: newId() }));
