import { Controller, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Accounts } from '../../auth/index.js';
import { sellerOf } from '../../documents/index.js';
import type { Uuid } from '../../kernel/ids.js';
import { invalidParameter, RequestRefusal } from '../../platform/http/request-refusals.js';
import { type ApiRequest, type Caller, CallerOf } from '../../platform/http/request.js';
import { Get } from '../../platform/http/route.js';
import { ChartsOfAccounts } from '../application/charts-of-accounts.service.js';
import { VatReturns } from '../application/vat-returns.service.js';
import { trialBalance } from '../domain/trial-balance.js';
import { VAT_RETURN_COUNTRIES, vatReturnForm } from '../domain/vat-returns/forms.js';
import type { VatReturnForm } from '../domain/vat-returns/vat-return.js';
import { LedgerQuery } from '../infrastructure/ledger.query.js';
import { fromTo, ReportFiles } from './report-files.js';
import { assertInOrder, assertOneYear } from '../wire/report-query.js';
import {
  presentTrialBalance,
  TRIAL_BALANCE_COLUMNS,
  TRIAL_BALANCE_PRINTED,
  TrialBalanceBody,
  TrialBalanceQuery,
} from '../wire/trial-balance.js';
import {
  presentVatReturn,
  toVatReturnRows,
  VAT_RETURN_COLUMNS,
  VAT_RETURN_PRINTED,
  VatReturnBody,
  VatReturnQuery,
} from '../wire/vat-return.js';
import { FieldRefusal } from '../../kernel/field-refusals.js';
import { onePage } from './chunks.js';

/** The books between two days, as an accountant asks for them first. */
@ApiTags('reports')
@Controller('v1/finance/reports')
export class PeriodReportsController {
  constructor(
    private readonly ledger: LedgerQuery,
    private readonly charts: ChartsOfAccounts,
    private readonly vatReturns: VatReturns,
    private readonly accounts: Accounts,
    private readonly files: ReportFiles,
  ) {}

  @Get('trial-balance', 'reports:read', {
    summary: 'Read the trial balance of some days',
    description:
      'Each account of the ledger: its balance before, what was debited and credited, and its balance at the end. Each currency sums to zero.',
    answers: { json: [TrialBalanceBody], text: ['text/csv'], html: true },
    problems: [FieldRefusal.sum_too_large, RequestRefusal.export_busy],
  })
  async getTrialBalance(
    @CallerOf() { accountId }: Caller,
    @Query({ schema: TrialBalanceQuery }) query: TrialBalanceQuery,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ) {
    const { from, to, currency = null, format = 'json' } = query;
    assertInOrder('from', from, 'to', to);
    const sums = await this.ledger.flowsAround(accountId, from, to, currency);
    const chart = (await this.charts.byMonth(accountId)).on(to);
    const body = presentTrialBalance({ from, to }, trialBalance(sums), chart);
    if (format === 'json') {
      response.json(body);
      return;
    }
    await this.files.send({ request, response, accountId }, format, {
      name: `trial-balance-${from}-${to}`,
      title: 'Trial balance',
      about: [fromTo(from, to)],
      columns: TRIAL_BALANCE_COLUMNS,
      printed: TRIAL_BALANCE_PRINTED,
      rows: onePage(body.data),
    });
  }

  @Get('vat-return', 'reports:read', {
    summary: 'Read the VAT return by the boxes of the country’s form',
    description:
      'What was sold, from `reports/tax`: each line stands in the boxes of the form, or in `outside` with the reason. Input tax is not known here.',
    answers: { json: [VatReturnBody], text: ['text/csv'], html: true },
    problems: [FieldRefusal.sum_too_large, RequestRefusal.export_busy],
  })
  async getVatReturn(
    @CallerOf() { accountId }: Caller,
    @Query({ schema: VatReturnQuery }) query: VatReturnQuery,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ) {
    const { from, to, format = 'json' } = query;
    assertInOrder('from', from, 'to', to);
    assertOneYear(from, to);
    const form = await this.formOf(accountId, query.country);
    const filled = await this.vatReturns.read(accountId, form, { from, to });
    const body = presentVatReturn({ from, to }, form, filled);
    if (format === 'json') {
      response.json(body);
      return;
    }
    await this.files.send({ request, response, accountId }, format, {
      name: `vat-return-${form.country}-${from}-${to}`,
      title: form.name,
      about: [fromTo(from, to), 'Sales only: input tax is not known here.', form.source],
      columns: VAT_RETURN_COLUMNS,
      printed: VAT_RETURN_PRINTED,
      rows: onePage(toVatReturnRows(body)),
    });
  }

  private async formOf(accountId: Uuid, country: string | undefined): Promise<VatReturnForm> {
    const { seller } = await this.accounts.find(accountId);
    const form = vatReturnForm(country ?? sellerOf(seller).country);
    if (form) return form;
    throw invalidParameter(
      'country',
      `No return is known for your country; send country: one of ${VAT_RETURN_COUNTRIES.join(', ')}.`,
    );
  }
}
