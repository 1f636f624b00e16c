import { Body, Controller, type INestApplication, Param, Query } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { CommonRefusal } from '../../../src/kernel/common-refusals.js';
import { Config } from '../../../src/platform/config/config.js';
import { openApiDocument } from '../../../src/platform/http/docs/docs.js';
import { IfMatch } from '../../../src/platform/http/if-match.js';
import { PageQuery } from '../../../src/platform/http/paging.js';
import { Delete, Get, Patch, Post, Put } from '../../../src/platform/http/route.js';
import { shortText } from '../../../src/platform/http/validation/text-fields.js';
import { answerShape, requestShape } from '../../../src/platform/http/validation/shapes.js';
import { Idempotency } from '../../../src/platform/idempotency/idempotency.js';
import { OnceOnly } from '../../../src/platform/idempotency/once.decorator.js';
import { everyNode, parsed, type SourceFile, sourcesOf } from '../../support/source.js';

// One decorator says all of a route: there is no other way to make one, and what it says is served.

const ROUTE = 'src/platform/http/route.ts';
/** The pieces by which Nest and Swagger make or describe a route. */
const PIECES = new RegExp(
  `^(${[
    'All|Copy|Delete|Get|Head|HttpCode|Lock|Mkcol|Move|Options|Patch|Post|Propfind|Proppatch|Put',
    'QueryMethod|RequestMapping|Search|SetMetadata|Sse|Unlock|Version',
    'Api(?!(Tags|ExcludeController|Property\\w*)$)\\w+',
  ].join('|')})$`,
);

/** Pieces of routes that a file imports, and methods with several of our decorators. */
function notOneDecorator(file: SourceFile): string[] {
  const found: string[] = [];
  everyNode(file.tree, (node) => {
    if (ts.isImportDeclaration(node)) found.push(...piecesOf(node));
    if (!ts.isMethodDeclaration(node)) return;
    const names = (ts.getDecorators(node) ?? []).map(({ expression }) =>
      (ts.isCallExpression(expression) ? expression.expression : expression).getText(),
    );
    const verbs = names.filter((name) => PIECES.test(name));
    if (verbs.length > 1) found.push(`${node.name.getText()}: ${verbs.join()}`);
  });
  return found.map((piece) => `${file.path}: ${piece}`);
}

function piecesOf({ importClause, moduleSpecifier }: ts.ImportDeclaration): string[] {
  const bindings = importClause?.namedBindings;
  if (!bindings || !/^'@nestjs\/(common|swagger)'$/.test(moduleSpecifier.getText())) return [];
  if (!ts.isNamedImports(bindings)) return [bindings.getText()];
  return bindings.elements
    .filter(({ isTypeOnly }) => !isTypeOnly)
    .map(({ propertyName, name }) => (propertyName ?? name).text)
    .filter((name) => PIECES.test(name));
}

describe('the house', () => {
  it('makes every route with the one decorator', () => {
    const files = sourcesOf('src');
    expect(files.map(({ path }) => path)).toContain(ROUTE);
    const others = files.filter(({ path }) => path !== ROUTE);
    expect(others.flatMap(notOneDecorator)).toEqual([]);
  });

  it.each([
    [`import { Controller, Get } from '@nestjs/common';`, 'Get'],
    [`import { Post as Make } from '@nestjs/common';`, 'Post'],
    [`import * as nest from '@nestjs/common';`, '* as nest'],
    [`import { ApiTags, ApiOkResponse } from '@nestjs/swagger';`, 'ApiOkResponse'],
    [`class X { @Get('a', 'public', {}) @Post('b', 'public', {}) both() {} }`, 'both: Get,Post'],
  ])('finds %s', (text, piece) => {
    expect(notOneDecorator(parsed('x.ts', text))).toEqual([`x.ts: ${piece}`]);
  });

  it('lets one decorator pass', () => {
    const text = `import { Get } from './route.js'; class X { @Get('a') @Header('b') c() {} }`;
    expect(notOneDecorator(parsed('x.ts', text))).toEqual([]);
  });
});

const Thing = answerShape('ThingBody', { name: z.string() });
type Thing = z.output<typeof Thing>;

const NewThing = requestShape('NewThing', { name: shortText({ max: 100 }) });
type NewThing = z.output<typeof NewThing>;

@Controller('v1/things')
class ThingsController {
  @Post('', 'documents:write', {
    summary: 'Make a thing',
    description: 'Of its name.',
    creates: Thing,
    at: null,
    problems: [CommonRefusal.document_busy],
  })
  async makeThing(
    @Body({ schema: NewThing }) { name }: NewThing,
    @OnceOnly() _once: unknown,
  ): Promise<Thing> {
    return { name };
  }

  @Get('', 'documents:read', { summary: 'List things', answers: Thing })
  async listThings(@Query({ schema: PageQuery }) _page: PageQuery): Promise<Thing> {
    return { name: '' };
  }

  @Patch(':id', 'documents:write', {
    summary: 'Change a thing',
    takes: 'mergePatch',
    answers: Thing,
  })
  async changeThing(
    @Param('id') name: string,
    @Body({ schema: NewThing }) _body: NewThing,
    @IfMatch() _versions: unknown,
    @OnceOnly() _once: unknown,
  ): Promise<Thing> {
    return { name };
  }

  @Delete(':id', 'documents:write', { summary: 'Delete a thing', answers: 'nothing' })
  async deleteThing(@Param('id') _id: string): Promise<void> {}

  @Put(':id/picture', 'public', {
    summary: 'A picture of a thing',
    takes: 'image',
    answers: { json: [Thing, NewThing], text: ['text/csv'], binary: ['image/png'] },
  })
  async putPicture(@Param('id') _id: string): Promise<void> {}
}

/** The compiler has to refuse each of these for one reason; none of it is called. */
export const refused = () => {
  const thing = { summary: 'A thing', answers: Thing };
  // @ts-expect-error a scope that there is not
  Get('', 'things:read', thing);
  // @ts-expect-error no summary
  Get('', 'public', { answers: Thing });
  // @ts-expect-error no answer
  Get('', 'public', { summary: 'A thing' });
  // @ts-expect-error a code that is not in the catalog
  Get('', 'public', { ...thing, problems: ['thing_not_found'] });
  // @ts-expect-error two answers
  Post('', 'public', { ...thing, creates: Thing });
  const handler = { value: async () => ({ title: '' }) };
  // @ts-expect-error a handler that answers something else
  Get('', 'public', thing)({}, 'handler', handler);
};

const headersOf = (operation: { parameters?: object[] } | undefined) =>
  (operation?.parameters ?? []).flatMap((parameter) =>
    'in' in parameter && parameter.in === 'header' && 'name' in parameter ? parameter.name : [],
  );

interface Refusal {
  $ref?: string;
  description?: string;
}

describe('a route', () => {
  let app: INestApplication;
  let paths: ReturnType<typeof openApiDocument>['paths'];
  let shared: Record<string, Refusal>;
  const codesOf = (operation: { responses: object } | undefined) =>
    Object.entries((operation?.responses ?? {}) as Record<string, Refusal>)
      .filter(([status]) => Number(status) >= 400)
      .map(([, { $ref, ...own }]) => ($ref ? shared[$ref.split('/').at(-1) ?? ''] : own))
      .flatMap((refusal) => refusal?.description?.split(', '));
  beforeAll(async () => {
    const module = await Test.createTestingModule({
      controllers: [ThingsController],
      providers: [
        { provide: Idempotency, useValue: {} },
        { provide: Config, useValue: {} },
      ],
    }).compile();
    app = module.createNestApplication();
    await app.init();
    const document = openApiDocument(app, 'http://127.0.0.1', []);
    ({ paths } = document);
    shared = document.components?.responses as typeof shared;
  });
  afterAll(() => app.close());

  it('has the name of its handler, its texts, its status and its scheme', () => {
    const made = paths['/v1/things']?.post;
    expect(made).toMatchObject({
      operationId: 'makeThing',
      summary: 'Make a thing',
      description: expect.stringMatching(/^Of its name\.\n\nNeeds the scope/),
      security: [{ oauth2: [expect.any(String)] }],
    });
    expect(Object.keys(made?.responses ?? {})).toContain('201');
    const deleted = paths['/v1/things/{id}']?.delete;
    expect(Object.keys(deleted?.responses ?? {})).toContain('204');
    expect(paths['/v1/things/{id}/picture']?.put?.security).toEqual([]);
  });

  it('takes an Idempotency-Key and If-Match exactly where its handler does', () => {
    expect(headersOf(paths['/v1/things']?.post)).toEqual(['Idempotency-Key']);
    expect(headersOf(paths['/v1/things']?.get)).toEqual([]);
    const { patch, delete: deleted } = paths['/v1/things/{id}'] ?? {};
    expect(headersOf(patch)).toEqual(['If-Match', 'Idempotency-Key']);
    expect(headersOf(deleted)).toEqual([]);
  });

  it('is refused with its own codes, and with those that follow from the rest', () => {
    const made = codesOf(paths['/v1/things']?.post);
    expect(made).toContain('document_busy');
    expect(made).toContain('insufficient_scope');
    expect(made).toContain('idempotency_key_reused');
    expect(made).not.toContain('invalid_query');
    const listed = codesOf(paths['/v1/things']?.get);
    expect(listed).toContain('invalid_query');
    expect(listed).toContain('invalid_cursor');
    expect(listed).not.toContain('idempotency_key_reused');
    expect(codesOf(paths['/v1/things/{id}']?.patch)).toContain('version_mismatch');
  });

  it('says what it takes and gives beside JSON', () => {
    const { put } = paths['/v1/things/{id}/picture'] ?? {};
    const { patch } = paths['/v1/things/{id}'] ?? {};
    expect(put?.requestBody).toMatchObject({ content: { 'image/png': {}, 'image/jpeg': {} } });
    expect(patch?.requestBody).toMatchObject({
      content: { 'application/json': {}, 'application/merge-patch+json': {} },
    });
    expect(put?.responses['200']).toMatchObject({
      content: {
        'application/json': { schema: { anyOf: [{}, {}] } },
        'text/csv': { schema: { type: 'string' } },
        'image/png': { schema: { format: 'binary' } },
      },
    });
  });
});
