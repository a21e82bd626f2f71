import { FakeListChatModel } from '@langchain/core/utils/testing';

/** A model of LangChain that always gives the same answer. */
export const model: FakeListChatModel = new FakeListChatModel({ responses: ['I will keep that in mind.'] });
