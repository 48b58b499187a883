import { describe, expect, test } from 'vitest';
import { AgentError, messageOf, recordOfProviderError, systemCodeOf } from './errors.ts';

describe('errors', () => {
  test('say their words and their code', () => {
    expect([messageOf(new Error('x')), messageOf('y'), messageOf(null)]).toEqual(['x', 'y', 'null']);
    expect([
      systemCodeOf(Object.assign(new Error('x'), { code: 'ENOENT' })),
      systemCodeOf(Object.assign(new Error('x'), { code: 5 })),
      systemCodeOf({ code: 'ENOENT' }),
    ]).toEqual(['ENOENT', null, null]);
    expect(new AgentError({ code: 'no_model', message: 'm', remedy: 'r' }, { cause: 1 })).toMatchObject({
      name: 'AgentError',
      code: 'no_model',
      message: 'm',
      remedy: 'r',
      cause: 1,
    });
  });

  test("of a provider keep the provider's words, and gain a remedy", () => {
    expect(recordOfProviderError({ kind: 'key_rejected', message: 'invalid x-api-key', status: 401 })).toEqual({
      code: 'model_key_rejected',
      message: 'invalid x-api-key (HTTP 401)',
      remedy: 'Check the key in your environment, or choose another model with --model.',
    });
    expect(recordOfProviderError({ kind: 'unreachable', message: 'Could not reach x.', status: null })).toMatchObject({
      code: 'model_unreachable',
      message: 'Could not reach x.',
    });
  });
});
