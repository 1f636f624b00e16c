import { describe, expect, it } from 'vitest';
import { EVENT_TYPES, EVENTS } from '../../src/feed/wire/event-types.js';
import { resolved } from '../e2e/schema-check.js';
import { describedApi } from '../support/openapi-file.js';

interface Webhook {
  post: {
    requestBody: {
      content: {
        'application/json': {
          schema: { allOf: [object, { properties: { type: object; data: { $ref: string } } }] };
          example: { type: string; data: object };
        };
      };
    };
  };
}

const api = (await describedApi()) as unknown as { webhooks: Record<string, Webhook> };
const told = Object.entries(api.webhooks).map(([type, { post }]) => ({
  type,
  ...post.requestBody.content['application/json'],
}));

describe('the webhooks of the OpenAPI document', () => {
  it('are the types of events', () => {
    expect(told.map(({ type }) => type).sort()).toEqual([...EVENT_TYPES].sort());
  });

  it('each have an example that the definition of the event takes, and no other field', () => {
    for (const { type, example } of told) {
      const parsed = EVENTS[type]!.data.safeParse(example.data);
      expect({ type, data: parsed.data, problem: parsed.error?.message }).toEqual({
        type: example.type,
        data: example.data,
      });
    }
  });

  it('each have the schema of their data', () => {
    for (const { type, schema } of told) {
      const { properties } = schema.allOf[1];
      expect(properties.type).toEqual({ const: type });
      const data = resolved(api, properties.data.$ref) as { properties: object };
      expect([type, Object.keys(data.properties).sort()]).toEqual([
        type,
        Object.keys(EVENTS[type]!.data.shape).sort(),
      ]);
    }
  });
});
