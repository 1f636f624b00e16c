import { Body, Controller, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  Cursors,
  DEFAULT_PAGE_SIZE,
  toPage,
  withTotalCount,
  WHOLE,
} from '../../platform/http/paging.js';
import { selecting } from '../../platform/http/selected-fields.js';
import { type Caller, CallerOf } from '../../platform/http/request.js';
import { Get, Put } from '../../platform/http/route.js';
import type { Once } from '../../platform/idempotency/idempotency.js';
import { OnceOnly } from '../../platform/idempotency/once.decorator.js';
import { ExchangeRates } from '../application/exchange-rates.service.js';
import type { RecordedRate } from '../domain/exchange-rate.js';
import { ExchangeRatesQuery, type RatePlace } from '../infrastructure/exchange-rates.query.js';
import {
  ExchangeRateList,
  ExchangeRatePage,
  ListExchangeRatesQuery,
  presentRate,
  PutExchangeRatesRequest,
  ratesIn,
} from '../wire/exchange-rate.js';
import { assertInOrder } from '../wire/report-query.js';
import { FieldRefusal } from '../../kernel/field-refusals.js';

@ApiTags('books')
@Controller('v1/finance/exchange-rates')
export class ExchangeRatesController {
  constructor(
    private readonly service: ExchangeRates,
    private readonly rates: ExchangeRatesQuery,
  ) {}

  @Put('', 'settings:write', {
    summary: 'Set exchange rates of days',
    example: {
      rates: [{ base: 'EUR', quote: 'USD', rate: '1.0850', day: '2026-01-02', source: 'ECB' }],
    },
    description:
      'They decide what money in one currency is worth in another, where no rate is sent with it. ' +
      'A changed rate changes nothing that is booked.',
    answers: ExchangeRateList,
    problems: [
      FieldRefusal.validation_failed,
      FieldRefusal.same_currency,
      FieldRefusal.said_twice,
      FieldRefusal.date_in_future,
    ],
  })
  async putExchangeRates(
    @CallerOf() { accountId, clientId }: Caller,
    @Body({ schema: PutExchangeRatesRequest }) body: PutExchangeRatesRequest,
    @OnceOnly() once: Once,
  ) {
    return once.run(presentRates, (guard) =>
      this.service.put(accountId, clientId, ratesIn(body), guard),
    );
  }

  @Get('', 'reports:read', {
    summary: 'List exchange rates, newest day first',
    description:
      'With the source of each. Of one day and pair, the rate that was set last; earlier ones only if you ask for the history.',
    answers: ExchangeRatePage,
  })
  async listExchangeRates(
    @CallerOf() { accountId }: Caller,
    @Query({ schema: ListExchangeRatesQuery }) query: ListExchangeRatesQuery,
  ) {
    const { limit = DEFAULT_PAGE_SIZE, base, quote, from, to, history = false } = query;
    assertInOrder('from', from, 'to', to);
    const filter = { base, quote, from, to, isHistory: history };
    const cursors = new Cursors({ list: 'exchange-rates', filter }, ['date']);
    const place = cursors.read(query.cursor);
    const after = place && { day: place.keys[0] ?? '', id: place.id };
    const rows = await this.rates.list(accountId, filter, after, limit + 1);
    const keyOf = ({ day, id }: RatePlace) => cursors.keyOf({ keys: [day], id });
    return withTotalCount(
      toPage(rows, limit, keyOf, selecting(query, presentRate)),
      query,
      (most) => this.rates.count(accountId, filter, most),
    );
  }
}

function presentRates(rates: RecordedRate[]): ExchangeRateList {
  return { data: rates.map(presentRate), ...WHOLE };
}
