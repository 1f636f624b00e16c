import { Body, Controller, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Accounts } from '../../auth/index.js';
import { type ApiRequest, byClient, type Caller, CallerOf } from '../../platform/http/request.js';
import { Get, Post } from '../../platform/http/route.js';
import type { Once } from '../../platform/idempotency/idempotency.js';
import { OnceOnly } from '../../platform/idempotency/once.decorator.js';
import { WHOLE } from '../../platform/http/paging.js';
import { VatMethods } from '../application/vat-methods.service.js';
import { taxTotals, vatMethodOn } from '../domain/tax-report.js';
import { TaxReportQuery } from '../infrastructure/tax-report.query.js';
import { fromTo, ReportFiles } from './report-files.js';
import { assertInOrder, DaysQuery } from '../wire/report-query.js';
import {
  presentTaxLine,
  presentTaxTotal,
  presentVatDecision,
  SetVatMethodRequest,
  TAX_COLUMNS,
  TAX_PRINTED,
  TaxReportBody,
  VatMethodBody,
  VatMethodList,
} from '../wire/tax.js';
import { DocumentRefusal } from '../../documents/index.js';
import { FieldRefusal } from '../../kernel/field-refusals.js';
import { RequestRefusal } from '../../platform/http/request-refusals.js';
import { onePage } from './chunks.js';

/** Tax that is due, and when it is. */
@ApiTags('reports')
@Controller('v1/finance')
export class TaxController {
  constructor(
    private readonly methods: VatMethods,
    private readonly report: TaxReportQuery,
    private readonly accounts: Accounts,
    private readonly files: ReportFiles,
  ) {}

  @Get('vat-methods', 'reports:read', {
    summary: 'List the decisions whether tax is due by invoice or payment',
    description:
      'In the order in which they were made, each with the day from which it counts. Without one, tax is due with the invoice.',
    answers: VatMethodList,
  })
  async listVatMethods(@CallerOf() { accountId }: Caller) {
    const decisions = await this.methods.list(accountId);
    const method = vatMethodOn(await this.accounts.today(accountId), decisions);
    return { method, data: decisions.map(presentVatDecision), ...WHOLE };
  }

  @Post('vat-methods', 'settings:write', {
    summary: 'Decide whether tax is due by invoice or by payment',
    example: { method: 'cash', from: '2026-01-01' },
    description: 'For invoices that are issued from a day on; each keeps the method of its day.',
    creates: VatMethodBody,
    at: null,
    problems: [DocumentRefusal.period_closed, FieldRefusal.date_in_future],
  })
  async setVatMethod(
    @CallerOf() caller: Caller,
    @Body({ schema: SetVatMethodRequest }) { method, from }: SetVatMethodRequest,
    @OnceOnly() once: Once,
  ) {
    return once.run(presentVatDecision, (guard) =>
      this.methods.decide(byClient(caller), method, from, guard),
    );
  }

  @Get('reports/tax', 'reports:read', {
    summary: 'Read tax that is due, by category, rate and country',
    description:
      'For a month or a longer time: of invoices by their date, or of payments where the seller declares by payment. Credit notes and losses are taken off.',
    answers: { json: [TaxReportBody], text: ['text/csv'], html: true },
    problems: [FieldRefusal.sum_too_large, RequestRefusal.export_busy],
  })
  async getTaxReport(
    @CallerOf() { accountId }: Caller,
    @Query({ schema: DaysQuery }) { from, to, format = 'json' }: DaysQuery,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ) {
    assertInOrder('from', from, 'to', to);
    const { lines, notDue } = await this.report.read(accountId, from, to);
    const data = lines.map(presentTaxLine);
    if (format === 'json') {
      const totals = taxTotals(lines, notDue).map(presentTaxTotal);
      response.json({ from, to, data, ...WHOLE, totals });
      return;
    }
    await this.files.send({ request, response, accountId }, format, {
      name: `tax-${from}-${to}`,
      title: 'Tax that is due',
      about: [fromTo(from, to)],
      columns: TAX_COLUMNS,
      printed: TAX_PRINTED,
      rows: onePage(data),
    });
  }
}
