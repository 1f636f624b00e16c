import { Inject, Injectable, Module } from '@nestjs/common';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PdfRenderer } from '../../../src/documents/index.js';
import { defineExtension } from '../../../src/extensions/extension.js';
import { Installation } from '../../../src/extensions/installation.js';
import { Clock, SystemClock } from '../../../src/kernel/clock.js';
import { Config } from '../../../src/platform/config/config.js';
import type { TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';

const closed: string[] = [];

/** A port has its means by constructor, as any provider. */
@Injectable()
class OwnRenderer extends PdfRenderer {
  constructor(private readonly config: Config) {
    super();
  }
  async render(html: string) {
    return Buffer.from(`%PDF of ${this.config.host}, ${html.length > 100 ? 'a page' : 'nothing'}`);
  }
  async sheetsOfRows() {
    return [];
  }
  withoutGlyph() {
    return [];
  }
  async warm() {}
  async close() {}
  onApplicationShutdown() {
    closed.push('renderer');
  }
}

class Noon extends SystemClock {
  override serverNow() {
    return new Date('2030-01-01T12:00:00Z');
  }
}

@Injectable()
class Seen {
  constructor(
    readonly renderer: PdfRenderer,
    @Inject(Clock) readonly clock: Clock,
  ) {}
}
@Module({ providers: [Seen] })
class SeenModule {}

let service: TestService;
let client: TestClient;
beforeAll(async () => {
  const extension = defineExtension({
    name: 'ownports',
    quittance: '*',
    module: SeenModule,
    ports: [
      { provide: PdfRenderer, useClass: OwnRenderer },
      { provide: Clock, useClass: Noon },
    ],
  });
  service = await startTestService({ installation: new Installation([extension]) });
  client = await service.aClient();
});

afterAll(async () => {
  await service.close();
  expect(closed).toEqual(['renderer']);
});

it('a renderer of its own prints', async () => {
  const invoice = await client.anInvoice();
  const { status, text } = await client.get(`/v1/finance/documents/${invoice.id}/pdf`);
  expect({ status, text }).toEqual({ status: 200, text: '%PDF of 127.0.0.1, a page' });
});

it('a clock of its own dates documents, and modules get the same one', async () => {
  expect(await client.read(await client.anInvoice())).toMatchObject({ issue_date: '2030-01-01' });
  const { renderer, clock } = service.app.get(Seen, { strict: false });
  expect(renderer).toBeInstanceOf(OwnRenderer);
  expect(clock).toBe(service.app.get(Clock));
});
