import { openDatabase } from '../../../src/index.ts';
import { pagesContract } from '../../contracts/pages-contract.ts';

pagesContract(() => openDatabase({ storage: 'memory' }));
