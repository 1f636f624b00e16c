import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Accounts, ApiClients } from '../auth/index.js';
import type { Service } from '../boot.js';
import { buyerOf, Documents, NO_DETAILS, PortalTokens } from '../documents/index.js';
import { type By, OPERATOR } from '../kernel/actor.js';
import { publicId, type Uuid, uuidOf } from '../kernel/ids.js';
import { Gateways, PaymentLinks, payableAccount } from '../payments/index.js';
import type { Config } from '../platform/config/config.js';
import { Database } from '../platform/database/database.js';
import { ExtensionScopes, SCOPES } from '../platform/http/access.js';
import { OutgoingClient } from '../platform/http/outgoing/outgoing-client.js';
import { DemoToken } from '../platform/http/docs/demo-token.js';
import { byOperator, operator } from '../platform/process-identity.js';

/** The content of `.quittance/demo.json`: all that a first integration needs. */
export interface Demo {
  base_url: string;
  client_id: string;
  client_secret: string;
  account_id: string;
  invoice_id: string;
  quote_id: string;
  invoice_portal_token: string;
  quote_portal_token: string;
  payment_links: { id: string; gateway: string; amount: number; currency: string }[];
  /** By gateway name: its provider and settings, webhook secrets among them. */
  gateways: Record<string, Record<string, string>>;
}

const CURRENCY = 'EUR';
/** Small against the invoice's total, so that every link can be paid beside other payments. */
const LINK_AMOUNT_MINOR = 10_000n;

const CUSTOMER = {
  name: 'Globex GmbH',
  email: 'accounts@globex.example',
  address: ['Hauptstraße 1', '10115 Berlin'],
  country: 'DE',
  tax_id: 'DE123456788',
};

/** Makes the demo account once for a database, and keeps `demo.json` true to this start. */
export async function prepareDemo(service: Service, config: Config): Promise<Demo> {
  const file = join(config.dataDir, 'demo.json');
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
  const kept = await readKept(file, service);
  const demo: Demo = {
    ...(kept ?? (await createDemo(service))),
    base_url: service.url,
    gateways: Object.fromEntries(
      config.gateways.map(({ name, provider, settings }) => [name, { provider, ...settings }]),
    ),
  };
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600 });
  await rename(draft, file);
  const fetch = service.app.get(OutgoingClient).fetchFor([service.url]);
  service.app.get(DemoToken).make = () => tokenOf(demo, fetch);
  return demo;
}

async function tokenOf(
  { base_url: url, client_id, client_secret }: Demo,
  fetch: typeof globalThis.fetch,
): Promise<string> {
  const answer = await fetch(`${url}/v1/auth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_id, client_secret }),
  });
  const { access_token: token } = (await answer.json()) as { access_token: string };
  return token;
}

type Made = Omit<Demo, 'base_url' | 'gateways'>;

async function readKept(file: string, { app }: Service): Promise<Made | undefined> {
  try {
    const kept = JSON.parse(await readFile(file, 'utf8')) as Made;
    // The file may be from another database, without its account, or older than modes.
    const { mode } = await app.get(Accounts).find(uuidOf('acc', kept.account_id) ?? '');
    return mode === 'test' ? kept : undefined;
  } catch {
    return undefined;
  }
}

async function createDemo({ app }: Service): Promise<Made> {
  const account = await app.get(Accounts).create(operator(), {
    name: 'Acme Studio',
    mode: 'test',
    currency: CURRENCY,
    timeZone: 'Europe/Berlin',
    seller: {
      name: 'Acme Studio GmbH',
      email: 'billing@acme.example',
      address: ['Torstraße 49', '10119 Berlin'],
      country: 'DE',
      tax_id: 'DE999999995',
      // The example account of German banks: pages show bank details and a code to scan.
      bank_accounts: [
        {
          holder: 'Acme Studio GmbH',
          bank_name: 'Commerzbank',
          iban: 'DE89370400440532013000',
          bic: 'COBADEFFXXX',
        },
      ],
    },
  });
  const { accountId } = account;
  const by = byOperator(accountId);
  const made = await app.get(ApiClients).create(by, null, {
    name: 'demo',
    scopes: [...SCOPES, ...app.get(ExtensionScopes).all],
  });
  const invoice = await createDocument(app, by, 'invoice');
  const quote = await createDocument(app, by, 'quote');
  const links = [];
  const database = app.get(Database);
  const reads = { read: database.query.bind(database) };
  const usable = await app.get(Gateways).of(await payableAccount(reads, accountId));
  for (const { name: gateway } of usable) {
    const link = await app.get(PaymentLinks).create({
      accountId,
      actor: OPERATOR,
      documentId: invoice,
      gateway,
      amountMinor: LINK_AMOUNT_MINOR,
      expected: null,
      expiresInDays: null,
      despiteProcessing: false,
      returnUrl: null,
    });
    const id = publicId('plink', link.id);
    links.push({ id, gateway, amount: link.amount.toMinorNumber(), currency: CURRENCY });
  }
  const tokens = app.get(PortalTokens);
  return {
    client_id: publicId('cli', made.client.clientId),
    client_secret: made.secret,
    account_id: publicId('acc', accountId),
    invoice_id: publicId('doc', invoice),
    quote_id: publicId('doc', quote),
    invoice_portal_token: (await tokens.create(by, invoice)).token,
    quote_portal_token: (await tokens.create(by, quote)).token,
    payment_links: links,
  };
}

async function createDocument(
  app: Service['app'],
  by: By,
  kind: 'invoice' | 'quote',
): Promise<Uuid> {
  const view = await app.get(Documents).create(by, {
    kind,
    proforma: false,
    discounts: [],
    charges: [],
    pricesIncludeTax: false,
    cashRounding: null,
    collectionMethod: null,
    externalId: null,
    series: null,
    number: null,
    customer: buyerOf(CUSTOMER),
    lines: [
      {
        description: 'Website relaunch: concept and design',
        quantity: '10',
        unitAmountMinor: 9500n,
        taxRate: '19',
      },
      {
        description: 'Printed style guide',
        quantity: '3',
        unitAmountMinor: 2490n,
        taxRate: '7',
      },
    ],
    issueDate: null,
    dueDate: null,
    paymentTermsDays: 14,
    purchaseOrder: 'PO-4711',
    details: NO_DETAILS,
    notes: 'Thank you for your business.',
    metadata: {},
    issue: true,
  });
  return uuidOf('doc', view.id) ?? '';
}
