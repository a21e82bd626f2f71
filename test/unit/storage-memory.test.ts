import { MemoryEngine } from '../../src/storage/memory-engine.ts';
import { describeEngine } from '../contracts/engine-contract.ts';

describeEngine('MemoryEngine', async () => new MemoryEngine());
