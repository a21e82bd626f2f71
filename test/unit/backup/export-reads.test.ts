import { openDatabase } from '../../../src/index.ts';
import { exportContract } from '../../contracts/export-contract.ts';

exportContract(() => openDatabase({ storage: 'memory' }));
