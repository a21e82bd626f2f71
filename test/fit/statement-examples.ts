import { splitClauses } from '../../src/language/clauses.ts';
import { claimFeatures } from '../../src/learning/claims/mark-claims.ts';
import { hasAll, type EverydayRequest, type NaturalChat } from './corpus.ts';

/** A clause with its features and whether it says a labeled fact. */
export interface ClauseExample {
  readonly conversation: number;
  readonly message: number;
  readonly text: string;
  readonly features: Readonly<Record<string, number>>;
  readonly isPositive: boolean;
}

/** The clauses of the user's messages; those that say a labeled fact are positive. */
export function chatClauses(chats: readonly NaturalChat[]): ClauseExample[] {
  return chats.flatMap((chat, conversation) =>
    chat.messages.flatMap(({ role, content, session }, message) => {
      if (role !== 'user') return [];
      const last = chat.messages[message - 1];
      const before = last?.role === 'assistant' && last.session === session ? last.content : '';
      const facts = chat.facts.filter(({ evidence }) => evidence === message);
      const clauses = splitClauses(content);
      const features = claimFeatures(clauses, { message: content, before });
      return clauses.map(({ text }, position) => ({
        conversation,
        message,
        text,
        features: features[position] ?? {},
        isPositive: facts.some(({ object }) => hasAll(text, object)),
      }));
    }),
  );
}

/** The clauses of everyday requests; the conversation is the request. */
export function everydayClauses(requests: readonly EverydayRequest[]): ClauseExample[] {
  return requests.flatMap(({ user }, conversation) => {
    const clauses = splitClauses(user);
    const features = claimFeatures(clauses, { message: user, before: '' });
    return clauses.map(({ text }, position) => ({
      conversation,
      message: 0,
      text,
      features: features[position] ?? {},
      isPositive: false,
    }));
  });
}
