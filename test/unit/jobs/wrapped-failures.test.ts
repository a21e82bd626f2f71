import { APICallError, RetryError } from 'ai';
import { expect, it } from 'vitest';
import { describeFailure } from '../../../src/jobs/failure.ts';
import { MnemoraError } from '../../../src/model/error.ts';

const CALL = { url: 'http://localhost', requestBodyValues: {} };

function answered(statusCode: number): APICallError {
  return new APICallError({ ...CALL, message: 'Failed', statusCode, isRetryable: statusCode >= 500 });
}

function retried(error: unknown): RetryError {
  return new RetryError({ message: 'Failed.', reason: 'maxRetriesExceeded', errors: [answered(400), error] });
}

/** An error of a client that gives up when no server answers: it has a status, which is undefined. */
function unconnected(cause: unknown): Error {
  return Object.assign(new Error('Connection error.', { cause }), { status: undefined });
}

it.each([
  ['a timeout of the platform', new DOMException('signal timed out', 'TimeoutError'), 'passing'],
  ['attempts of which the last was answered with 503', retried(answered(503)), 'passing'],
  ['attempts of which the last was answered with 401', retried(answered(401)), 'refused'],
  ['attempts of which the last was answered with 400', retried(answered(400)), 'lasting'],
  [
    'a call that can be repeated',
    new APICallError({ ...CALL, message: 'No connection', isRetryable: true }),
    'passing',
  ],
  ['a cause that is of the network', unconnected(new TypeError('fetch failed')), 'network'],
  ['the network as the last of many', new AggregateError([1, new TypeError('Load failed')]), 'network'],
  ['a stream that breaks off in Chromium', new TypeError('network error'), 'network'],
  ['a stream that breaks off in Firefox', new TypeError('Error in input stream'), 'network'],
  ['a stream that breaks off in WebKit', new TypeError('The network connection was lost.'), 'network'],
  ['a stream that breaks off in Node', new TypeError('terminated'), 'network'],
  ['a cause of this library', unconnected(new MnemoraError('llm-timeout', 'late')), 'passing'],
  ['an abort', new DOMException('The user left.', 'AbortError'), 'lasting'],
  [
    'an abort with a cause',
    Object.assign(unconnected(new TypeError('terminated')), { name: 'AbortError' }),
    'lasting',
  ],
  [
    'a fault of the code',
    new TypeError("Cannot read properties of undefined (reading 'network')"),
    'lasting',
  ],
  ['a terminated worker of the page', new Error('terminated'), 'lasting'],
  [
    'a reply whose cause has a status',
    new MnemoraError('llm-reply', 'none', { cause: answered(503) }),
    'lasting',
  ],
  ['a number that is no status', Object.assign(new Error('x'), { status: 200, statusCode: 'x' }), 'lasting'],
])('JOB-48: the kind of an error of another library is that of what it wraps: %s', (_what, error, kind) => {
  expect(describeFailure(error).kind).toBe(kind);
});

it('JOB-48: a circle of causes ends', () => {
  const error = new Error('x');
  error.cause = error;
  expect(describeFailure(error).kind).toBe('lasting');
});
