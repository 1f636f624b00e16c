import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Controller, Get as NestGet, Injectable, Module } from '@nestjs/common';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PdfRenderer } from '../../../src/documents/index.js';
import { Facts } from '../../../src/extensions/facts.js';
import { defineExtension, type Extension } from '../../../src/extensions/extension.js';
import { Installation } from '../../../src/extensions/installation.js';
import { type Provider, Providers } from '../../../src/gateways/index.js';
import { domainRefusals } from '../../../src/kernel/domain-refusal.js';
import { Money } from '../../../src/kernel/money.js';
import { ConfigError } from '../../../src/platform/config/config-error.js';
import { Get } from '../../../src/platform/http/route.js';
import { migrate } from '../../../src/platform/database/migrate.js';
import { aDatabase, type TestDatabase } from '../../support/database.js';
import { startTestService } from '../../support/service.js';

const [GIVEN] = new Providers().all as [Provider];
const PLAIN: Extension = { name: 'acme', quittance: '^0.2' };

describe('an extension that is not whole', () => {
  it.each<[string, object, RegExp]>([
    ['without a name', { quittance: '^0.2' }, /not whole: name: /],
    ['without a range', { name: 'acme' }, /not whole: quittance: a text/],
    ['with a capital', { ...PLAIN, name: 'Acme' }, /name: small letters and digits/],
    ['with a hyphen', { ...PLAIN, name: 'acme-pay' }, /name: small letters and digits/],
    ['with an unknown part', { ...PLAIN, listeners: [] }, /Unrecognized key: "listeners"/],
    ['with a module that is none', { ...PLAIN, module: {} }, /module: a module/],
    [
      'with a scope of another',
      { ...PLAIN, scopes: { 'ext:x:read': 'a' } },
      /ext:x:read is not ext:acme:<verb>/,
    ],
    ['with a scope of ours', { ...PLAIN, scopes: { 'refunds:write': 'a' } }, /is not ext:acme/],
    [
      'with half a format',
      { ...PLAIN, formats: [{ name: 'edi', mediaType: 'edi' }] },
      /formats.0.mediaType: such as text\/csv; formats.0.summary: a text; formats.0.render: a function/,
    ],
    [
      'with settings of accounts of no kind',
      { ...PLAIN, accountSettings: { schema: {}, kinds: { 'API key': 'secret' } } },
      /accountSettings.schema: a schema of zod; accountSettings.kinds: names of small letters, digits and _/,
    ],
    [
      'with half a letter',
      { ...PLAIN, letters: [{ name: 'Thanks' }] },
      /letters.0.name: small letters.*; letters.0.write: a function/,
    ],
    [
      'with two letters of a name',
      { ...PLAIN, letters: [1, 2].map(() => ({ name: 'thanks', write: () => null })) },
      /not whole: letters: a name twice/,
    ],
    [
      'with half a job',
      { ...PLAIN, jobs: [{ name: 'Old points', everyMs: 3e9 }] },
      /jobs.0.name: small letters.*; jobs.0.everyMs: a whole number from 100 to 86400000; jobs.0.run: a function/,
    ],
    [
      'with a migration without text',
      { ...PLAIN, migrations: [{ name: '1', sql: '' }] },
      /migrations.0.sql: a text/,
    ],
  ])('%s is refused where it is defined', (_, extension, sentence) => {
    expect(() => defineExtension(extension as Extension)).toThrow(sentence);
  });
});

class NoPort {}
class Renderer {}

const startOf = async (module: Extension['module']) =>
  startTestService({ installation: new Installation([{ ...PLAIN, module }]) });

describe('extensions that do not fit', () => {
  it.each<[string, Extension[], RegExp]>([
    ['two of one name', [PLAIN, PLAIN], /^QUITTANCE_EXTENSIONS: acme is there twice\.$/],
    [
      'a provider that is none',
      [{ ...PLAIN, providers: [{ name: 'acmepay' } as never] }],
      /acme brings what is no provider; wrong or missing: settings, unsafe, open\.$/,
    ],
    [
      'a provider of ours',
      [{ ...PLAIN, providers: [{ ...GIVEN, name: 'stripe' }] }],
      /acme brings stripe, whose name/,
    ],
  ])('%s', (_, extensions, sentence) => {
    expect(() => new Installation(extensions)).toThrow(sentence);
  });

  it.each<[string, Extension[], RegExp]>([
    [
      'what is no port',
      [{ ...PLAIN, ports: [{ provide: NoPort, useClass: Renderer }] }],
      /acme replaces NoPort, which is no port; ports are Clock, IdGenerator, LogoEncoder, MailSender, NumberTexts, PdfRenderer, RateLimits, TokenIssuer, VatNumberRegister\.$/,
    ],
    [
      'a port by a stranger',
      [{ ...PLAIN, ports: [{ provide: PdfRenderer, useClass: Renderer }] }],
      /acme replaces PdfRenderer with Renderer, which does not extend it/,
    ],
    [
      'money',
      [{ ...PLAIN, ports: [{ provide: Money as never, useClass: Renderer }] }],
      /acme replaces Money, which is no port/,
    ],
  ])('one that replaces %s keeps the service from starting', async (_, extensions, sentence) => {
    await expect(startTestService({ installation: new Installation(extensions) })).rejects.toThrow(
      sentence,
    );
  });

  it('a problem that is there already', async () => {
    const problems = domainRefusals({ conflict: { document_not_found: 'No.' } });
    const installation = new Installation([{ ...PLAIN, problems }]);
    await expect(startTestService({ installation })).rejects.toThrow(
      /acme has the problem document_not_found/,
    );
  });

  it('a route that nobody could call', async () => {
    @Controller('open')
    class Open {
      @NestGet()
      read() {
        return {};
      }
    }
    @Controller('undeclared')
    class Undeclared {
      @Get('', 'ext:acme:read', { summary: 'Nothing', answers: 'nothing' })
      async read() {}
    }
    @Module({ controllers: [Open] })
    class OpenModule {}
    @Module({ controllers: [Undeclared] })
    class UndeclaredModule {}
    await expect(startOf(OpenModule)).rejects.toThrow(
      'Open.read says not who may call it, so nobody may: use Get, Post, ... of quittance.',
    );
    await expect(startOf(UndeclaredModule)).rejects.toThrow(
      'Undeclared.read wants ext:acme:read, which no extension has among its scopes.',
    );
  });

  it('a listener of an event that there is not', async () => {
    @Injectable()
    class Deaf {
      constructor(facts: Facts) {
        facts.on('payment.recieved' as 'payment.recorded', () => undefined);
      }
    }
    @Module({ providers: [Deaf] })
    class DeafModule {}
    await expect(startOf(DeafModule)).rejects.toThrow(
      'QUITTANCE_EXTENSIONS: a listener waits for payment.recieved, which no event is; docs/events.md lists them.',
    );
  });
});

describe('a package that is named', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quittance-extension-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const read = async (text: string, name = './it.mjs') => {
    await writeFile(join(folder, 'it.mjs'), text);
    // Each its own, as Node keeps what it has loaded.
    const place = name === './it.mjs' ? `./it.mjs?${Math.random()}` : name;
    return Installation.read({ QUITTANCE_EXTENSIONS: place }, folder);
  };

  it.each([
    ['is not there', '', '@acme/nothing', /@acme\/nothing cannot be loaded: /],
    ['throws', 'throw new Error("no")', './it.mjs', /cannot be loaded: no/],
    [
      'exports nothing',
      'export const x = 1',
      './it.mjs',
      /has to export by default what defineExtension made/,
    ],
    [
      'is made by hand',
      'export default { name: "a", quittance: "*" }',
      './it.mjs',
      /has to export by default/,
    ],
  ])('and %s is refused in a sentence', async (_, text, name, sentence) => {
    const refusal = read(text, name);
    await expect(refusal).rejects.toThrow(sentence);
    await expect(refusal).rejects.toBeInstanceOf(ConfigError);
  });
});

describe('a migration', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await aDatabase();
  });
  afterAll(() => database.drop());

  const run = async (name: string, sql: string) =>
    migrate({ app: database.url, owner: database.ownerUrl, reader: null }, [
      { name: 'acme', migrations: [{ name, sql }] },
    ]);

  it.each([
    ['a table of ours', 'ALTER TABLE payments ADD COLUMN points integer', 'column payments.points'],
    [
      'a trigger on ours',
      'CREATE TRIGGER ext_acme_t BEFORE DELETE ON payments FOR EACH ROW EXECUTE FUNCTION refuse_change()',
      'trigger ext_acme_t on payments',
    ],
    ['a guard of ours', 'ALTER TABLE transfers DISABLE TRIGGER ALL', 'trigger transfers_'],
    ['a table of another name', 'CREATE TABLE points (id int)', 'column points.id, table points'],
    [
      'a table of another extension',
      'CREATE TABLE ext_other_points (id int)',
      'table ext_other_points',
    ],
    [
      'a function of ours',
      'CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$',
      'function refuse_change()',
    ],
  ])('that changes %s is refused, and nothing of it is there', async (_, sql, part) => {
    await expect(run('1', `${sql}; CREATE TABLE ext_acme_fine (id int)`)).rejects.toThrow(
      /^QUITTANCE_EXTENSIONS: the migration 1 of acme may change what begins with ext_acme_ alone, not /,
    );
    await expect(run('1', sql)).rejects.toThrow(part);
    expect(await database.query(`SELECT to_regclass('ext_acme_fine') AS made`)).toEqual([
      { made: null },
    ]);
  });

  it.each(['COMMIT', 'SELECT 1; rollback', 'SELECT 1;\n start transaction'])(
    'that ends its transaction (%s) is refused before it runs',
    async (sql) => {
      await expect(run('1', `${sql}; DROP TABLE payments`)).rejects.toThrow(
        'the migration 1 of acme has a statement that ends its transaction.',
      );
      expect(await database.query(`SELECT to_regclass('payments') IS NULL AS gone`)).toEqual([
        { gone: false },
      ]);
    },
  );

  it('that fails is refused with what PostgreSQL says', async () => {
    await expect(run('1', 'CREATE TABLE ext_acme_x (id nothing)')).rejects.toThrow(
      'the migration 1 of acme failed: type "nothing" does not exist.',
    );
  });

  it('that ran stays as it is', async () => {
    const sql = 'CREATE TABLE ext_acme_points (id int PRIMARY KEY)';
    expect(await run('1', sql)).toEqual(['acme 1']);
    expect(await run('1', sql)).toEqual([]);
    await expect(run('1', `${sql};`)).rejects.toThrow(
      'has run with another text. Add one instead.',
    );
    // The service may write it, and may not change its shape.
    const [rights] = await database.query(
      `SELECT has_table_privilege($1, 'ext_acme_points', 'INSERT') AS may,
         has_table_privilege($1, 'extension_migrations', 'INSERT') AS may_not`,
      [new URL(database.url).username],
    );
    expect(rights).toEqual({ may: true, may_not: false });
  });
});
