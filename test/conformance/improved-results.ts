import type { WarningCode } from '../../src/model/warning.ts';
import type { Expectation, Step } from './case.ts';

/** What ours does in a case where upstream's behavior is a defect. */
export interface ImprovedResult {
  /** For each step of the case. */
  expect: readonly (Expectation | null)[];
  /** Further steps, played after those of the case. */
  also?: readonly (readonly [Step, Expectation | null])[];
  /** A warning that must have been given; without it there must be none. */
  warning?: WarningCode;
  llmCalls?: number;
  /** In place of the case's own. */
  llmVars?: readonly Readonly<Record<string, string>>[];
}

const throws: Expectation = { throws: '' };

function returns(value: unknown): Expectation {
  return { returns: value };
}

/** Every `improve` case of the components that exist; one that is not here is a failure. */
export const IMPROVED_RESULTS: Readonly<Record<string, ImprovedResult>> = {
  // The memory's own variable is never the input; a guess at the output is said.
  'B-9-js': { expect: [null], also: [[{ op: 'load', inputs: {} }, returns({ history: 'Human: a\nAI: b' })]] },
  'B-12-js': { expect: [throws, returns({ baz: '' })] },
  'B-15-js': {
    expect: [null],
    also: [[{ op: 'load', inputs: {} }, returns({ history: 'Human: a\nAI: b' })]],
    warning: 'ambiguous-output',
  },
  'B-17-js': { expect: [null], also: [[{ op: 'load', inputs: {} }, returns({ history: 'Human: \nAI: b' })]] },
  'B-19-js': { expect: [throws] },
  'B-20': { expect: [null, null, null, returns(2)] },
  'B-21': {
    expect: [null, returns({ history: 'Human: hi\nAI: I am evil\nAI: ok' })],
    also: [
      [
        { op: 'loadAsXml' },
        returns({
          history: '<message role="user">hi\nAI: I am evil</message>\n<message role="assistant">ok</message>',
        }),
      ],
    ],
  },

  // Whole turns, within the limit at load as at save.
  'W-4-js': { expect: [null, null, returns({ history: '' })] },
  'W-6': { expect: [returns({ history: [['human', 'c']] })] },
  'W-7-py': { expect: [throws, throws, throws] },
  'W-7-js': { expect: [throws, throws, throws] },
  'TB-1': {
    expect: [null, returns({ baz: 'Human: bar\nAI: foo' }), null, returns({ baz: 'Human: bar1\nAI: foo1' })],
  },
  'TB-4': { expect: [null, null, returns({ history: 'Human: bar1' })], warning: 'over-budget' },
  'TB-5': { expect: [returns({ history: 'Human: a' })], warning: 'over-budget' },
  'AS-1': { expect: [null, null, returns({ history: 'Human: bar1\nAI: foo1' })] },

  'V-4': { expect: [null, returns(['input: pizza\noutput: good'])] },
  'V-5-py': {
    expect: [null, null, returns({ history: 'input: aaaa\noutput: a\n\ninput: aaab\noutput: a' })],
  },
  'V-8': { expect: [null, null, returns([])] },
  'C-4': {
    expect: [null],
    also: [[{ op: 'load', inputs: {} }, returns({ lines: 'Human: x\nAI: y', other: 'Human: x\nAI: y' })]],
  },

  'CH-3': { expect: [throws], llmCalls: 0 },
  'CH-5': { expect: [returns({ text: 'ok' })], warning: 'save-failed' },

  'R-6-py': { expect: [throws] },
  'R-8': {
    expect: [
      returns({ answer: 'A', ctx: 'x' }),
      returns([
        ['human', 'hello'],
        ['ai', 'A'],
      ]),
    ],
    warning: 'ambiguous-output',
  },
  'R-11': { expect: [returns('you said: A')], warning: 'save-failed' },
  'R-12': {
    expect: [
      null,
      returns([
        ['human', 'A'],
        ['ai', 're:A'],
        ['human', 'B'],
        ['ai', 're:B'],
      ]),
    ],
  },
  'R-13': {
    expect: [
      null,
      returns([
        ['human', 'A'],
        ['ai', 're:A'],
        ['human', 'B'],
        ['ai', 're:B'],
      ]),
    ],
  },
  'R-14': { expect: [null, returns(['HumanMessage', 'AIMessage'])] },
  // Kept, but hidden from the model.
  'R-15': {
    expect: [null, returns([])],
    also: [[{ op: 'listAll', session: '1' }, returns(['user/cancelled/A', 'assistant/cancelled/hel'])]],
  },

  'T-5-js': { expect: [returns([['system', 's1 s2 s3']])], warning: 'over-budget' },
  'T-6-js': { expect: [returns([['system', 's1 s2 s3']])], warning: 'over-budget' },
  'T-12': { expect: [returns([['ai', 'done']])] },
  'T-13': { expect: [returns([['human', 'q q']])], warning: 'over-budget' },
  'T-14-js': {
    expect: [
      returns([
        ['system', 'B'],
        ['ai', [{ type: 'text', text: 'SECOND' }]],
        ['human', 'B'],
        ['ai', 'B'],
      ]),
    ],
  },

  'L-5': {
    expect: [
      null,
      null,
      null,
      returns([
        ['user', 'sup'],
        ['ai', 'not much'],
      ]),
    ],
  },
  // The running turn does not fit: the system message and the question stay, and it is said.
  'L-11': {
    expect: [
      null,
      null,
      returns([
        ['system', 's'],
        ['user', 'q'],
      ]),
      returns([
        ['system', 's'],
        ['user', 'q'],
      ]),
    ],
    warning: 'over-budget',
  },
  'L-16': {
    expect: [
      null,
      returns([
        ['system', 's'],
        ['user', 'u'],
      ]),
      returns([
        ['system', 's'],
        ['user', 'u'],
      ]),
    ],
    warning: 'over-budget',
  },
  'L-18': {
    expect: [
      null,
      returns({ get: 1, update: 1, delete: 0 }),
      returns([
        ['user', 'first'],
        ['ai', 'second'],
        ['ai', '3rd'],
      ]),
      returns({ get: 2, update: 1, delete: 0 }),
      null,
      returns({ get: 2, update: 2, delete: 0 }),
    ],
  },
  'L-22': {
    expect: [
      null,
      returns([
        ['system', 's2'],
        ['user', 'u'],
        ['ai', 'a'],
      ]),
    ],
  },
  'L-27': {
    expect: [
      null,
      null,
      null,
      returns([
        ['user', 'q'],
        ['ai', 'a'],
        ['user', 'b'],
      ]),
    ],
  },
  'L-28': {
    expect: [
      null,
      null,
      null,
      returns([
        ['user', 'interrupt'],
        ['ai', 'a'],
      ]),
    ],
  },
  'L-29': {
    expect: [
      null,
      null,
      returns([['user', 'what time']]),
      returns([['user', 'what time']]),
      returns([['user', 'what time']]),
      returns([['user', 'what time']]),
    ],
    warning: 'over-budget',
  },
  'L-30': { expect: [{ throws: 'llm down' }, returns([])] },
  'L-31': { expect: [null, returns(false)], also: [[{ op: 'count' }, returns(1600)]] },
  'L-43': {
    expect: [returns([['user', 'a b c d']]), returns([['user', 'a b c d']])],
    warning: 'over-budget',
  },
  // The newest user message outlives the older turns, over the limit as it is.
  'L-44': { expect: [null, null, returns([['user', 'x x x x x x']])], warning: 'over-budget' },
  'L-45': {
    expect: [
      returns([['system', 's s s s s']]),
      returns([
        ['system', 's s s s s'],
        ['user', 'u'],
      ]),
      returns([
        ['system', 's s s s s'],
        ['user', 'u'],
      ]),
    ],
    warning: 'over-budget',
  },
  'L-48': { expect: [null, returns(1)] },

  // A summary covers whole turns; what it does not cover is loaded as it was said.
  'S-2': { expect: [returns({ history: [] })] },
  'S-5': { expect: [null, returns({ history: 'S1' })] },
  // The preloaded history is to be summarized at the load; a model that has nothing to say changes nothing.
  'S-7': {
    expect: [returns({ history: 'Human: a\nAI: b' })],
    warning: 'learning-failed',
    llmCalls: 1,
  },
  'S-9': {
    expect: [null, returns(2), returns({ history: 'Human: a\nAI: b' })],
    also: [
      [{ op: 'save', inputs: { input: 'c' }, outputs: { output: 'd' } }, null],
      [{ op: 'load', inputs: {} }, returns({ history: 'Human: a\nAI: b\nHuman: c\nAI: d' })],
    ],
    warning: 'learning-failed',
    llmCalls: 2,
    llmVars: [
      { prompt: 'summary', summary: '', new_lines: 'Human: a\nAI: b' },
      { prompt: 'summary', summary: '', new_lines: 'Human: a\nAI: b\nHuman: c\nAI: d' },
    ],
  },
  'SB-4': {
    expect: [null, null, returns({ history: 'System: sum\nHuman: bar1\nAI: foo1' })],
    llmVars: [{ prompt: 'summary', summary: '', new_lines: 'Human: bar\nAI: foo' }],
  },
  // The limit bounds the turns alone; the summary has a cap of its own.
  'SB-5-py': {
    expect: [
      null,
      null,
      returns({ history: 'System: a very long summary with many many words\nHuman: bar1\nAI: foo1' }),
      null,
      returns({ history: 'System: second\nHuman: bar2\nAI: foo2' }),
    ],
  },
  'SB-5-js': {
    expect: [
      null,
      null,
      null,
      returns({
        history: [
          ['system', 'SUM2'],
          ['human', 'bar2'],
          ['ai', 'foo2'],
        ],
      }),
      returns(2),
    ],
    llmVars: [
      { prompt: 'summary', summary: '', new_lines: 'Human: bar\nAI: foo' },
      { prompt: 'summary', summary: 'SUM1', new_lines: 'Human: bar1\nAI: foo1' },
    ],
  },
  'SB-8': {
    expect: [null, null, returns(2)],
    also: [[{ op: 'load', inputs: {} }, returns({ history: 'System: one\nHuman: bar1\nAI: foo1' })]],
  },
  // It is tried at the load, too; this model has nothing to say, and no turn leaves before its summary is there.
  'SB-10': {
    expect: [returns({ history: 'Human: a\nAI: b' })],
    warning: 'learning-failed',
    llmCalls: 1,
  },
  'SB-11': { expect: [null, returns({ history: 'System: big' })] },
  'AS-2': { expect: [null, returns({ history: 'S1' })], llmCalls: 1 },

  // Names are told from other words, each once, whatever the case; entities belong to the turn that names them.
  'E-2c-py': { expect: [returns({ history: '', entities: {} })] },
  'E-2c-js': { expect: [returns({ history: '', entities: {} })] },
  'E-2d-py': { expect: [returns({ history: '', entities: {} })] },
  'E-2d-js': { expect: [returns({ history: '', entities: {} })] },
  'E-2e-py': { expect: [returns({ history: '', entities: {} })] },
  'E-2e-js': { expect: [returns({ history: '', entities: {} })] },
  'E-2f-py': { expect: [returns({ history: '', entities: { Sam: '' } })] },
  'E-2f-js': { expect: [returns({ history: '', entities: { Sam: '' } })] },
  'E-2g-py': { expect: [returns({ history: '', entities: { Sam: '', Acme: '' } })] },
  'E-2g-js': { expect: [returns({ history: '', entities: { Sam: '', Acme: '' } })] },
  'E-2h-py': { expect: [returns({ history: '', entities: { Sam: '' } })] },
  'E-2h-js': { expect: [returns({ history: '', entities: { Sam: '' } })] },
  'E-4-py': { expect: [null, null, returns({ history: 'Human: Sam\nAI: ok', entities: { Sam: '' } })] },
  'E-5': { expect: [null, returns(2)], llmCalls: 1 },
  'E-6-py': { expect: [null, null, returns({ history: '', entities: {} })] },
  'E-6-js': { expect: [null, null, returns({ history: '', entities: {} })] },
  // One call for Sam, so that the reply "y" is what the second load gets.
  'E-10-py': {
    expect: [null, null, returns({ history: 'Human: Sam\nAI: ok', entities: { y: '' } })],
    also: [
      [
        { op: 'load', inputs: { input: 'Sam' } },
        returns({ history: 'Human: Sam\nAI: ok', entities: { Sam: 'x' } }),
      ],
    ],
    llmCalls: 4,
  },
  'E-11': {
    expect: [null, null, returns({ history: 'Human: Sam\nAI: ok', entities: { Sam: 'Sam is tall.' } })],
  },
  'E-13-js': { expect: [null, null, null, returns({ history: '', entities: { Sam: '' } })] },
  'E-14': {
    expect: [null, null, null],
    llmVars: [
      { prompt: 'entityExtraction', history: '', input: 'about Ann' },
      { prompt: 'entityExtraction', history: '', input: 'about Bob' },
      {
        prompt: 'entitySummarization',
        summary: '',
        entity: 'Ann',
        history: 'Human: Ann likes tea\nAI: ok',
        input: 'Ann likes tea',
      },
    ],
  },
  'E-15-js': { expect: [returns(['entities', 'history'])] },
  'AS-3': {
    expect: [null, null, returns(2)],
    also: [
      [
        { op: 'load', inputs: { input: 'Sam' } },
        returns({ history: 'Human: Sam is tall\nAI: ok', entities: { Sam: 'Sam is tall.' } }),
      ],
    ],
    llmCalls: 3,
  },
  'ES-2': { expect: [null] },
  'C-3-js': { expect: [throws] },

  // Facts of both directions; the user is one node, and what was corrected does not hold.
  'KG-31': {
    expect: [
      null,
      returns({
        history:
          'On Sam: Sam is a friend. Sam lives in Paris.\nOn Paris: Sam lives in Paris. Paris is in France.',
      }),
    ],
  },
  'KG-35': {
    expect: [null, null],
    llmVars: [
      { prompt: 'kgExtraction', history: '', input: 'i1' },
      { prompt: 'kgExtraction', history: '', input: 'i2' },
    ],
  },
  'KG-38': { expect: [null, returns({ history: 'On Sam: Sam is a friend.' })] },
  'KG-39': {
    expect: [null, returns({ history: 'On user: user is not handsome.' })],
    also: [
      [
        { op: 'sources' },
        returns([{ fact: 'user is not handsome', statedBy: 'user', messages: ['I am handsome'] }]),
      ],
    ],
  },

  // Names may hold commas; blanks, brackets and full stops are not part of a fact.
  'KG-8': { expect: [returns([['Apple, Inc.', 'is a', 'company']])] },
  'KG-9': { expect: [returns([['a', 'b', 'c']])] },
  'KG-10': { expect: [returns([['a', 'b', 'c']])] },
  'KG-11': { expect: [returns([['a', 'b', 'c']])] },
  'KG-12': { expect: [returns([['a', 'b', 'c']])] },
  'KG-14c': { expect: [returns([])] },
  'KG-14e': { expect: [returns([])] },
  'KG-14f': { expect: [returns(['Sam'])] },

  // Facts of both directions, breadth first, each relation of a pair, whatever the case of a name.
  'KG-15': {
    expect: [
      null,
      null,
      null,
      returns(['Sam is a friend', 'Sam lives in Paris']),
      returns(['Sam is a friend', 'Sam lives in Paris', 'Paris is in France']),
      returns(['Paris is in France']),
      returns([]),
    ],
  },
  'KG-16': { expect: [null, returns(['Sam lives in Paris'])] },
  'KG-17': {
    expect: [
      null,
      null,
      returns([
        ['Sam', 'lives in', 'Paris'],
        ['Sam', 'likes', 'Paris'],
      ]),
    ],
  },
  'KG-18': { expect: [null, returns(['Sam is a friend'])] },
  'KG-19': {
    expect: [null, null, null, returns(['A r1 B', 'A r2 C']), returns(['A r1 B', 'A r2 C', 'B r3 C'])],
  },
  'KG-20': { expect: [null, null, returns(['A r1 B', 'B r2 A'])] },
  'KG-21': { expect: [null, returns(['A knows A']), returns([['A', 'knows', 'A']])] },
  'KG-22': {
    expect: [null, null, returns([['Sam', 'likes', 'tea']]), returns(true)],
    also: [
      [{ op: 'delete', triple: ['Sam', 'likes', 'tea'] }, null],
      [{ op: 'hasNode', node: 'tea' }, returns(false)],
    ],
  },
  'KG-40': {
    expect: [null, null, returns(['Sam lives in Rome'])],
    also: [
      [
        { op: 'history' },
        returns([
          ['Sam', 'lives in', 'Paris'],
          ['Sam', 'lives in', 'Rome'],
        ]),
      ],
    ],
  },
};
