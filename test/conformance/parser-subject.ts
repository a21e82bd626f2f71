import { parseEntities, parseTriples } from '../../src/learning/parse-replies.ts';
import type { Subject } from './subject.ts';

export function parserSubject(): Subject {
  return {
    userName: 'human',
    operations: {
      parse: ({ text }) =>
        parseTriples(text as string).map(({ subject, predicate, object }) => [subject, predicate, object]),
      entities: ({ text }) => parseEntities(text as string),
    },
  };
}
