import { describe, expect, it } from 'vitest';
import { DocumentRefusal } from '../../../src/documents/domain/refusals.js';
import { DomainError, type DomainErrorKind } from '../../../src/kernel/domain-error.js';
import { answerTo, HttpProblem } from '../../../src/platform/http/problem.js';

const answer = (error: unknown) => answerTo(error, { id: 'request-1' }, '/v1/things');

describe('a problem', () => {
  it.each<[DomainErrorKind, number]>([
    ['malformed', 400],
    ['unauthenticated', 401],
    ['invalid', 422],
    ['forbidden', 403],
    ['not_found', 404],
    ['conflict', 409],
    ['stale', 412],
    ['unavailable', 503],
  ])('of kind %s is a %i', (kind, status) => {
    const { status: sent, problem } = answer(new DomainError(kind, 'some_code', 'Do this.')) ?? {};
    expect([sent, problem?.status]).toEqual([status, status]);
  });

  it('has the members of RFC 9457, a code, and every wrong field', () => {
    const error = DocumentRefusal.amount_exceeds_due.at('/amount', 'Send less.', { due: 5 });
    expect(answer(error)?.problem).toEqual({
      type: 'urn:quittance:problem:amount_exceeds_due',
      title: 'Unprocessable Entity',
      status: 422,
      detail: 'Send less.',
      instance: '/v1/things',
      code: 'amount_exceeds_due',
      request_id: 'request-1',
      due: 5,
      errors: [{ pointer: '/amount', code: 'amount_exceeds_due', message: 'Send less.' }],
    });
    expect(answer(DocumentRefusal.document_not_found.of())?.problem).not.toHaveProperty('errors');
  });

  it('says when to come back in a header, not in the body', () => {
    const { headers, problem } = answer(DomainError.unavailable('busy', 'Wait.', 7)) ?? {};
    expect(headers).toEqual({ 'Retry-After': '7' });
    expect(problem).not.toHaveProperty('retry_after');
  });

  it('takes headers and members of an HTTP problem', () => {
    const error = new HttpProblem(401, 'invalid_token', 'No.', { Allow: 'GET' }, { scope: 'a' });
    expect(answer(error)).toMatchObject({
      status: 401,
      headers: { Allow: 'GET' },
      problem: { title: 'Unauthorized', scope: 'a', code: 'invalid_token' },
    });
  });

  it('does not let a context change its standard members', () => {
    const error = new DomainError('conflict', 'x', 'y', { amount_due: 1 });
    expect(answer(error)?.problem).toMatchObject({ status: 409, code: 'x', amount_due: 1 });
  });

  it.each([new Error('select * from secrets'), new TypeError('x'), 'text', null, undefined, {}])(
    'is not made of a bug: %p',
    (error) => expect(answer(error)).toBeUndefined(),
  );
});
