import { describe, expect, it } from 'vitest';
import { DomainError } from '../../../src/kernel/domain-error.js';
import {
  faultOf,
  hasStalePlan,
  translateDatabaseError,
} from '../../../src/platform/database/database-error.js';

// Every class of SQLSTATE (appendix A of PostgreSQL's manual): a state of the database, or our bug.

const failure = (code: string, message = 'failed') => Object.assign(new Error(message), { code });

describe('an SQLSTATE is a state of the database', () => {
  it.each([
    ['read_only', '25006'],
    ['disk_full', '53100'],
    ['no_privilege', '28000 28P01 42501'],
    ['schema_mismatch', '3D000 3F000 42P01 42703 42883 42704'],
    ['broken', '58000 58030 58P01 58P02 F0000 F0001 XX000 XX001 XX002 0A000'],
    [
      'unreachable',
      '08000 08003 08006 08001 08004 08007 08P01 40000 40003 53000 53200 53300 53400',
    ],
    ['unreachable', '57000 57014 57P01 57P02 57P03 57P04 57P05 72000 25P03 25P04 55000 55006'],
    ['unreachable', '26000 42P05'],
  ])('%s: %s', (fault, codes) => {
    for (const code of codes.split(' ')) {
      expect([code, faultOf(failure(code))]).toEqual([code, fault]);
      const refusal = translateDatabaseError(failure(code)) as DomainError;
      expect([refusal.kind, refusal.code]).toEqual([
        'unavailable',
        fault === 'read_only' ? 'database_read_only' : 'database_unavailable',
      ]);
      expect(refusal.context['retry_after']).toBeGreaterThan(0);
    }
  });

  it.each(['40001', '40P01', '55P03'])('%s: somebody else holds it', (code) => {
    expect(translateDatabaseError(failure(code))).toMatchObject({ code: 'document_busy' });
  });

  it.each(['26000', '42P05'])('%s: its connection is not used again', (code) => {
    expect(hasStalePlan(failure(code))).toBe(true);
    expect(hasStalePlan(failure('23505'))).toBe(false);
  });
});

describe('a bug stays one', () => {
  const codes =
    '03000 09000 0B000 21000 22001 22P02 23502 23503 23505 23514 24000 25001 25P02 2F000 34000 ' +
    '39000 42601 42P02 42P18 42804 44000 54000 54001 P0001 P0002';
  it.each(codes.split(' '))('%s', (code) => {
    const error = failure(code);
    expect(translateDatabaseError(error)).toBe(error);
  });

  it.each([new TypeError('x is not a function'), failure('ENOENT'), 'text', null, undefined])(
    '%s',
    (error) => expect(translateDatabaseError(error)).toBe(error),
  );
});

describe('the way to the database', () => {
  it.each([
    'ECONNREFUSED',
    'ECONNRESET',
    'EPIPE',
    'ETIMEDOUT',
    'ENOTFOUND',
    'EAI_AGAIN',
    'EHOSTUNREACH',
    'ENETUNREACH',
    'ERR_STREAM_DESTROYED',
    'CERT_HAS_EXPIRED',
    'DEPTH_ZERO_SELF_SIGNED_CERT',
  ])('%s', (code) => expect(faultOf(failure(code))).toBe('unreachable'));

  it.each([
    'Query read timeout',
    'timeout expired',
    'timeout exceeded when trying to connect',
    'Connection terminated',
    'Connection terminated unexpectedly',
    'Connection terminated due to connection timeout',
    'Client has encountered a connection error and is not queryable',
    'Client was closed and is not queryable',
    'Cannot use a pool after calling end on the pool',
    'Received unexpected dataRow message from backend.',
    'The server does not support SSL connections',
    'SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string',
  ])('pg says: %s', (message) => expect(faultOf(new Error(message))).toBe('unreachable'));
});
