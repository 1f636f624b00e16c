import { Controller, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { FieldRefusal } from '../../kernel/field-refusals.js';
import { WHOLE } from '../../platform/http/paging.js';
import { type ApiRequest, type Caller, CallerOf } from '../../platform/http/request.js';
import { RequestRefusal } from '../../platform/http/request-refusals.js';
import { Get } from '../../platform/http/route.js';
import { EcSalesQuery } from '../infrastructure/ec-sales.query.js';
import { OssQuery } from '../infrastructure/oss.query.js';
import {
  EC_SALES_COLUMNS,
  EC_SALES_PRINTED,
  EcSalesReportBody,
  OSS_COLUMNS,
  OSS_PRINTED,
  OssReportBody,
  presentEcSalesLine,
  presentOssLine,
} from '../wire/journal.js';
import { assertInOrder, DaysQuery } from '../wire/report-query.js';
import { fromTo, ReportFiles } from './report-files.js';
import { onePage } from './chunks.js';

/** Sales to other EU countries, as their two returns want them. */
@ApiTags('reports')
@Controller('v1/finance/reports')
export class EuSalesController {
  constructor(
    private readonly oss: OssQuery,
    private readonly ecSales: EcSalesQuery,
    private readonly files: ReportFiles,
  ) {}

  @Get('oss', 'reports:read', {
    summary: 'Read sales to consumers of other EU countries by country and rate',
    description:
      'Net and tax from one day to another, as the One Stop Shop wants them for a quarter.',
    answers: { json: [OssReportBody], text: ['text/csv'], html: true },
    problems: [FieldRefusal.sum_too_large, RequestRefusal.export_busy],
  })
  async getOssReport(
    @CallerOf() { accountId }: Caller,
    @Query({ schema: DaysQuery }) { from, to, format = 'json' }: DaysQuery,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ) {
    assertInOrder('from', from, 'to', to);
    const data = (await this.oss.read(accountId, from, to)).map(presentOssLine);
    if (format === 'json') {
      response.json({ from, to, data, ...WHOLE });
      return;
    }
    await this.files.send({ request, response, accountId }, format, {
      name: `oss-${from}-${to}`,
      title: 'Sales to consumers of other EU countries',
      about: [fromTo(from, to)],
      columns: OSS_COLUMNS,
      printed: OSS_PRINTED,
      rows: onePage(data),
    });
  }

  @Get('ec-sales', 'reports:read', {
    summary: 'Read sales to businesses of other EU countries by VAT number',
    description:
      'Net from one day to another, as a recapitulative statement (EC sales list) wants them. Credit notes and losses whose tax is claimed back are taken off.',
    answers: { json: [EcSalesReportBody], text: ['text/csv'], html: true },
    problems: [FieldRefusal.sum_too_large, RequestRefusal.export_busy],
  })
  async getEcSalesReport(
    @CallerOf() { accountId }: Caller,
    @Query({ schema: DaysQuery }) { from, to, format = 'json' }: DaysQuery,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ) {
    assertInOrder('from', from, 'to', to);
    const data = (await this.ecSales.read(accountId, from, to)).map(presentEcSalesLine);
    if (format === 'json') {
      response.json({ from, to, data, ...WHOLE });
      return;
    }
    await this.files.send({ request, response, accountId }, format, {
      name: `ec-sales-${from}-${to}`,
      title: 'Sales to businesses of other EU countries',
      about: [fromTo(from, to)],
      columns: EC_SALES_COLUMNS,
      printed: EC_SALES_PRINTED,
      rows: onePage(data),
    });
  }
}
