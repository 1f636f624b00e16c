import { expect } from 'vitest';
import type {
  NumberingAuditBody,
  NumberSeriesBody,
} from '../../../src/documents/wire/numbering.js';
import {
  NumberSeriesRepository,
  type TakenNumber,
} from '../../../src/documents/infrastructure/number-series.repository.js';
import { Accounts } from '../../../src/auth/index.js';
import { uuidOf } from '../../../src/kernel/ids.js';
import type { Tx } from '../../../src/platform/database/tx.js';
import { UnitOfWork } from '../../../src/platform/database/unit-of-work.js';
import type { TestClient } from '../../support/client.js';
import type { Answer } from '../../support/http.js';
import type { TestService } from '../../support/service.js';

export const NUMBERING = '/v1/finance/numbering';

export const accountOf = (client: TestClient) => uuidOf('acc', client.accountId) ?? '';

function good<Body>(answer: Answer<Body>, status: number): Body {
  expect([answer.status, answer.text]).toEqual([status, expect.anything()]);
  return answer.body;
}

/** A new series, the default of invoices unless told otherwise. */
export async function aSeries(client: TestClient, over: object): Promise<NumberSeriesBody> {
  const body = { kind: 'invoice', default: true, ...over };
  return good(await client.post<NumberSeriesBody>(NUMBERING, body), 201);
}

export async function changed(
  client: TestClient,
  series: string,
  body: object,
): Promise<NumberSeriesBody> {
  return good(await client.patch<NumberSeriesBody>(`${NUMBERING}/${series}`, body), 200);
}

export async function listed(client: TestClient): Promise<NumberSeriesBody[]> {
  return good(await client.get<{ data: NumberSeriesBody[] }>(NUMBERING), 200).data;
}

export async function audited(client: TestClient, series: string): Promise<NumberingAuditBody> {
  return good(await client.get<NumberingAuditBody>(`${NUMBERING}/${series}/audit`), 200);
}

/** Numbers of invoices that are issued one after the other, on these dates. */
export async function numbersOn(client: TestClient, ...dates: string[]) {
  const numbers: (string | null)[] = [];
  for (const issue_date of dates) numbers.push((await client.anInvoice({ issue_date })).number);
  return numbers;
}

type Wish = Parameters<NumberSeriesRepository['take']>[2];

/** Takes a number without a document, as issuing would; `then` runs in its transaction. */
export async function take(
  service: TestService,
  client: TestClient,
  wish: Partial<Wish> = {},
  then: (tx: Tx) => Promise<void> = async () => undefined,
): Promise<TakenNumber> {
  const whole = { kind: 'invoice', series: null, issueDate: '2026-11-20', ...wish } as const;
  return service.app.get(UnitOfWork).run(async (tx) => {
    const numbers = service.app.get(NumberSeriesRepository);
    const account = await service.app.get(Accounts).find(accountOf(client));
    const taken = await numbers.take(tx, account, whole);
    await then(tx);
    return taken;
  });
}
