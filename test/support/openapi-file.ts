import { NestFactory } from '@nestjs/core';
import type { OpenAPIObject } from '@nestjs/swagger';
import { AppModule } from '../../src/app.module.js';
import { platformOptions } from '../../src/boot.js';
import { openApiDocument } from '../../src/platform/http/docs/docs.js';
import { REFUSALS } from '../../src/refusals.js';
import { createLog } from '../../src/platform/observability/log.js';
import { testConfig } from './service.js';

/** The OpenAPI document as a service answers it, made without a database: nothing is constructed. */
export async function describedApi(): Promise<OpenAPIObject> {
  const given = platformOptions(
    testConfig(3000),
    createLog('silent'),
    'postgres://127.0.0.1:1/none',
  );
  const app = await NestFactory.create(AppModule.with(given), { preview: true, logger: false });
  return openApiDocument(app, given.config.baseUrl, REFUSALS.all);
}
