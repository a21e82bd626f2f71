import { openDatabase } from '../../../src/index.ts';
import { newId } from '../../../src/model/id.ts';
import { pagesContract } from '../../contracts/pages-contract.ts';

pagesContract(() => openDatabase({ name: newId() }));
