import { expect, it } from 'vitest';
import { scoreAnswers, scoreAnswersByKind, type AskAnswers } from '../../bench/answers/answer-scores.ts';

function answered(kind: string, withMemory: string, withoutMemory: string): AskAnswers {
  return {
    ask: { question: 'Where?', needs: [['lyon'], ['rhone', 'rhône']], kind },
    withMemory,
    withoutMemory,
  };
}

it('BEN-12: each needed group is counted in both answers', () => {
  const answers = [
    answered('direct', 'In LYON, at the Rhône.', 'I cannot know that.'),
    answered('who', 'In Lyon.', 'Perhaps at the rhone.'),
    answered('who', 'I cannot know that.', 'Perhaps in Paris.'),
  ];
  expect(scoreAnswersByKind(answers)).toEqual({
    direct: { n: 1, withMemory: 100, withoutMemory: 0 },
    who: { n: 2, withMemory: 25, withoutMemory: 25 },
  });
  expect(scoreAnswers(answers)).toEqual({ n: 3, withMemory: 50, withoutMemory: 16.7 });
  expect(scoreAnswers([])).toEqual({ n: 0, withMemory: null, withoutMemory: null });
});
