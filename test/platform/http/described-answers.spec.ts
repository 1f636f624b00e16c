import { beforeAll, describe, expect, it } from 'vitest';
import { DescribedAnswers } from '../../support/described-answers.js';

// The check that every answer of the other tests goes through.

const BASE = 'http://127.0.0.1/v1';
const TOKEN = {
  access_token: 'a',
  token_type: 'Bearer',
  expires_in: 1800,
  refresh_token: 'r',
  scope: 'documents:read',
};
const NOT_FOUND = {
  type: 'urn:quittance:problem:document_not_found',
  title: 'Not Found',
  status: 404,
  detail: 'There is no such document.',
  instance: '/v1/finance/documents/doc_x',
  code: 'document_not_found',
  request_id: 'r',
};

let described: DescribedAnswers;
beforeAll(async () => {
  described = await DescribedAnswers.load();
});

function answer(status: number, body: object, type = 'application/json', headers = {}) {
  const text = JSON.stringify(body);
  return {
    status,
    body,
    text,
    bytes: Buffer.from(text),
    headers: new Headers({ 'content-type': type, ...headers }),
  };
}

const ofToken = (...given: Parameters<typeof answer>) =>
  described.differences('POST', `${BASE}/auth/token`, answer(...given));
const ofDocument = (...given: Parameters<typeof answer>) =>
  described.differences('GET', `${BASE}/finance/documents/doc_x`, answer(...given));

describe('an answer as it is described', () => {
  it('has no difference, also in a refusal', () => {
    expect(ofToken(200, TOKEN)).toEqual([]);
    expect(ofDocument(404, NOT_FOUND, 'application/problem+json')).toEqual([]);
  });

  it('may be of a route that is not described', () => {
    expect(described.differences('GET', 'http://127.0.0.1/docs', answer(418, {}))).toEqual([]);
  });
});

describe('an answer that is not described', () => {
  it.each<[string, Parameters<typeof answer>]>([
    ['status', [418, TOKEN]],
    ['media type', [200, TOKEN, 'text/html']],
    ['header', [200, TOKEN, 'application/json', { 'x-new': '1' }]],
    ['must be integer', [200, { ...TOKEN, expires_in: 1.5 }]],
    ['additional properties', [200, { ...TOKEN, more: 1 }]],
    ['required property', [200, { ...TOKEN, scope: undefined }]],
  ])('is found by its %s', (what, given) => {
    expect(ofToken(...given).join('\n')).toContain(what);
  });

  it('is found by a Location that is missing, or that nothing reads', () => {
    const ofPut = (headers: object) =>
      described
        .differences('PUT', `${BASE}/finance/customers/by-external-id/K-1`, {
          ...answer(201, { version: 1 }, 'application/json', headers),
        })
        .join('\n');
    expect(ofPut({})).toContain('no GET reads the Location null');
    expect(ofPut({ location: `${BASE}/finance/nothing/1` })).toContain('no GET reads the Location');
    expect(ofPut({})).toContain('the header ETag is missing');
    const good = ofPut({ etag: '"1"', location: `${BASE}/finance/customers/cus_1` });
    expect(good).not.toMatch(/Location|ETag/);
  });

  it('is found by a code that its operation does not list', () => {
    const other = { ...NOT_FOUND, code: 'payment_not_found' };
    expect(ofDocument(404, other, 'application/problem+json').join('\n')).toContain(
      'payment_not_found',
    );
  });
});
