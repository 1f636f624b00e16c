import type { INestApplication } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import type { NextFunction, Request, Response } from 'express';
import { RateLimits } from './limits/rate-limits.js';
import type { ApiRequest } from './request.js';
import { completeDocument, OAUTH_ERROR_SCHEMA, PROBLEM_SCHEMA } from './openapi.js';

const DOCS_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "connect-src 'self'; frame-ancestors 'none'";

/** The OpenAPI 3.1 document of the routes as they are. */
export function openApiDocument(app: INestApplication): OpenAPIObject {
  const config = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Quittance')
    .setDescription('Invoicing and payments. Amounts are integers in the currency’s minor unit.')
    .setVersion('1')
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    .addBearerAuth({ type: 'http', scheme: 'bearer', bearerFormat: 'JWT' }, 'access_token')
    .build();
  const document = SwaggerModule.createDocument(app, config, {
    operationIdFactory: (_controller, handler) => handler,
  });
  const schemas = (document.components ??= {}).schemas ?? {};
  document.components.schemas = {
    ...schemas,
    Problem: PROBLEM_SCHEMA,
    OAuthError: OAUTH_ERROR_SCHEMA,
  } as typeof schemas;
  return completeDocument(document);
}

/** `GET /v1/openapi.json` and, for people, `/docs`. */
export function useDocs(app: NestExpressApplication): void {
  // Guards do not run for the routes of Swagger.
  const limits = app.get(RateLimits);
  const limit = (request: Request, response: Response, next: NextFunction) => {
    limits.countRequest(request as ApiRequest, response);
    next();
  };
  app.use(['/docs', '/v1/openapi.json'], limit);
  app.use('/docs', (_request: Request, response: Response, next: NextFunction) => {
    response.setHeader('Content-Security-Policy', DOCS_POLICY);
    next();
  });
  SwaggerModule.setup('docs', app, () => openApiDocument(app), {
    jsonDocumentUrl: 'v1/openapi.json',
    raw: ['json'],
    customSiteTitle: 'Quittance API',
  });
}
