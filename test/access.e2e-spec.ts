import { Controller, Get, type Type } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { ModulesContainer } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AppModule } from '../src/app.module.js';
import { platformOptions } from '../src/boot.js';
import { ACCESS, type Access, SCOPES } from '../src/platform/http/access.js';
import { createLog } from '../src/platform/observability/log.js';
import { call } from './support/http.js';
import { startTestService, type TestService } from './support/service.js';

// The access to each route: denied by default, given by the one decorator of the route.

/** Made behind Nest's back. Anybody may read them, but the token, which a demo gives itself. */
const OF_DOCS = [
  '/docs',
  '/docs/demo-token',
  '/docs/problems',
  '/docs/problems/:code',
  '/docs/reference.js',
  '/docs/reference.json',
  '/docs/scalar.js',
  '/v1/openapi-3.0.json',
  '/v1/openapi.json',
];

interface Handler {
  name: string;
  path: string;
  access: Access | undefined;
}

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

/** Every method that Nest made a route of, from its own container. */
function handlersOf(app: NestExpressApplication): Handler[] {
  return [...app.get(ModulesContainer).values()].flatMap(({ controllers }) =>
    [...controllers.values()].flatMap(({ metatype }) => handlersIn(metatype as Type)),
  );
}

function handlersIn(controller: Type): Handler[] {
  const root = [Reflect.getMetadata(PATH_METADATA, controller)].flat()[0] as string;
  const prototype = controller.prototype as Record<string, object>;
  return Object.getOwnPropertyNames(prototype).flatMap((name) => {
    const method = prototype[name];
    if (!method || !Reflect.hasMetadata(METHOD_METADATA, method)) return [];
    const below = Reflect.getMetadata(PATH_METADATA, method) as string;
    return {
      name: `${controller.name}.${name}`,
      path: `/${root}/${below}`.replaceAll(/\/+/g, '/').replace(/(.)\/$/, '$1'),
      access: Reflect.getMetadata(ACCESS, method) as Access | undefined,
    };
  });
}

interface Layer {
  route?: { path: string };
}

/** Every path that Express answers. */
function pathsOf(app: NestExpressApplication): string[] {
  const express = app.getHttpAdapter().getInstance() as { router: { stack: Layer[] } };
  return express.router.stack.flatMap(({ route }) => route?.path ?? []);
}

describe('every route', () => {
  it('says who may call it', () => {
    const handlers = handlersOf(service.app);
    expect(handlers.length).toBeGreaterThan(20);
    expect(handlers.filter(({ access }) => !access)).toEqual([]);
    const scopes = handlers.flatMap(({ access }) => (access?.by === 'bearer' ? access.scope : []));
    expect(scopes.filter((scope) => !SCOPES.some((known) => known === scope))).toEqual([]);
  });

  it('is one that Nest guards, or one of the reference', () => {
    const guarded = new Set(handlersOf(service.app).map(({ path }) => path));
    const others = pathsOf(service.app).filter((path) => !guarded.has(path));
    expect([...new Set(others)].sort()).toEqual(OF_DOCS);
    expect([...guarded].filter((path) => !pathsOf(service.app).includes(path))).toEqual([]);
  });

  it('answers 401 without a token where it wants one', async () => {
    const bearer = handlersOf(service.app).filter(({ access }) => access?.by === 'bearer');
    for (const { path } of bearer) {
      const answers = await Promise.all(
        ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map((method) => service.call(path, { method })),
      );
      const taken = answers.filter(({ status }) => status !== 405);
      expect([path, ...taken.map(({ body }) => body['code'])]).toEqual([
        path,
        ...taken.map(() => 'missing_token'),
      ]);
      expect(taken.length).toBeGreaterThan(0);
    }
  });
});

@Controller('forgotten')
class Forgotten {
  @Get()
  open() {
    return { secret: true };
  }
}

describe('a route that is not declared with ours', () => {
  let app: NestExpressApplication;
  beforeAll(async () => {
    const { config, database } = service;
    const given = platformOptions(config, createLog('silent'), database.url);
    const module = await Test.createTestingModule({
      imports: [AppModule.with(given)],
      controllers: [Forgotten],
    }).compile();
    app = module.createNestApplication<NestExpressApplication>({ logger: false });
    await app.listen(0, '127.0.0.1');
  });
  afterAll(() => app.close());

  it('is found by the walk', () => {
    const open = handlersOf(app).filter(({ access }) => !access);
    expect(open).toEqual([{ name: 'Forgotten.open', path: '/forgotten', access: undefined }]);
  });

  it('is closed to everybody, also with a token', async () => {
    const client = await service.aClient();
    const headers = { authorization: `Bearer ${await client.bearer()}` };
    for (const request of [{}, { headers }]) {
      const answer = await call(`${await app.getUrl()}/forgotten`, request);
      expect([answer.status, answer.body['code']]).toEqual([403, 'route_closed']);
    }
  });
});
