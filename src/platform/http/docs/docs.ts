import type { INestApplication, INestApplicationContext } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import type { z } from 'zod';
import type { NextFunction, Request, Response } from 'express';
import { ExtensionScopes, SCOPE_MEANINGS } from '../access.js';
import { RateLimits } from '../limits/rate-limits.js';
import type { AnyRefusal } from '../problem.js';
import { RefusalCatalogue } from '../../refusal-catalogue.js';
import type { ApiRequest } from '../request.js';
import { toJsonSchema } from '../validation/shapes.js';
import { Config } from '../../config/config.js';
import { AddedWords } from '../openapi/added-words.js';
import { completeDocument } from '../openapi/operations.js';
import { asOpenApi30 } from '../openapi/version-30.js';
import { addWebhooks } from '../openapi/webhooks.js';
import { useReferencePage } from './reference-page.js';

/** The parts of the API, in the order in which an integration comes to use them. */
const TAGS = {
  auth: 'Tokens of OAuth 2. Begin here.',
  customers: 'Those who are billed.',
  catalogue: 'Items and tax rates that lines name.',
  documents: 'Quotes, invoices and credit notes, from the draft to the end.',
  schedules: 'Documents that are made again and again, each for its period.',
  dunning: 'Reminders by steps, and what they ask for beside the debt.',
  portal: 'What a client does with the link of a document.',
  mail: 'Messages to clients: documents, receipts and reminders.',
  payments: 'Money that came in, and what it pays.',
  gateways: 'Accounts at providers that an account configures itself.',
  'payment links': 'Pages of providers on which a document is paid.',
  mandates: 'What customers agreed to be debited by, and collections by it.',
  refunds: 'Money that goes back.',
  'unmatched receipts': 'Money of providers that no document could take.',
  'unmatched items': 'What providers reported and nothing fits.',
  disputes: 'Money that a payer asks back of the provider.',
  trying: 'For accounts made for trying: saying what happens.',
  'gateway events': 'Calls of providers, as they came, and what became of them.',
  'bank statements': 'Files of banks, and what their entries are.',
  payouts: 'What providers send to the bank.',
  events: 'What happened, for programs that follow it.',
  'webhook endpoints': 'Addresses that events are sent to.',
  webhooks: 'Calls that providers make.',
  seller: 'Your own particulars, as documents print them.',
  numbering: 'Number series and their audit.',
  reports: 'The ledger, and what follows from it.',
  books: 'Months, exchange rates, and the proof of the books.',
  clients: 'Credentials of integrations.',
  audit: 'Who did what.',
  operations: 'For supervisors of the process.',
} as const;

const DESCRIPTION =
  'Invoicing and payments. Amounts are integers in the currency’s minor unit: 1250 is 12.50 EUR. ' +
  'Every refusal has a stable `code`, all wrong fields, and a sentence that says what to do.';

/** The OpenAPI 3.1 document of the routes as they are. */
export function openApiDocument(
  app: INestApplicationContext,
  server: string,
  refusals: readonly AnyRefusal[],
  { meanings } = new ExtensionScopes(),
  words = new AddedWords(),
): OpenAPIObject {
  const builder = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Quittance')
    .setDescription(DESCRIPTION)
    .setVersion('1')
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    .addServer(server)
    .addOAuth2({
      type: 'oauth2',
      flows: {
        clientCredentials: {
          tokenUrl: '/v1/auth/token',
          refreshUrl: '/v1/auth/token',
          scopes: { ...SCOPE_MEANINGS, ...meanings },
        },
      },
    });
  for (const [name, description] of Object.entries(TAGS)) builder.addTag(name, description);
  const document = SwaggerModule.createDocument(app as INestApplication, builder.build(), {
    operationIdFactory: (_controller, handler) => handler,
    standardSchemaConverter: (shape) => toJsonSchema(shape as unknown as z.core.$ZodType) as never,
  });
  addWebhooks(document);
  const complete = withScopes(completeDocument(document, refusals), Object.keys(meanings));
  words.addTo(complete);
  return complete;
}

/** A client may be given those of extensions, too. */
function withScopes(document: OpenAPIObject, more: readonly string[]): OpenAPIObject {
  const scope = document.components?.schemas?.['Scope'];
  if (scope && 'enum' in scope) scope.enum = [...(scope.enum ?? []), ...more];
  return document;
}

/** `GET /v1/openapi.json`, the same as OpenAPI 3.0, and, for people, `/docs`. */
export function useDocs(app: NestExpressApplication): void {
  // Guards do not run for these routes.
  const limits = app.get(RateLimits);
  const limit = (request: Request, response: Response, next: NextFunction) => {
    limits.countRequest(request as ApiRequest, response);
    next();
  };
  app.use(['/docs', '/v1/openapi.json', '/v1/openapi-3.0.json'], limit);
  const { baseUrl } = app.get(Config);
  const { all: refusals } = app.get(RefusalCatalogue);
  const scopes = app.get(ExtensionScopes);
  const words = app.get(AddedWords);
  let made: OpenAPIObject | undefined;
  const api = () => (made ??= openApiDocument(app, baseUrl, refusals, scopes, words));
  useReferencePage(app, api, refusals);
  const asJson = { raw: ['json' as const], ui: false };
  SwaggerModule.setup('docs', app, api, { ...asJson, jsonDocumentUrl: 'v1/openapi.json' });
  SwaggerModule.setup('docs', app, () => asOpenApi30(api()), {
    ...asJson,
    jsonDocumentUrl: 'v1/openapi-3.0.json',
  });
}
