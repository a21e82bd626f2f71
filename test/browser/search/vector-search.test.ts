import { vectorSearchContract } from '../../contracts/vector-search-contract.ts';

vectorSearchContract(20);
