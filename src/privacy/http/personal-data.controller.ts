import { Body, Controller, Param, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { customerId, Customers, DocumentRefusal } from '../../documents/index.js';
import { Clock } from '../../kernel/clock.js';
import { publicId } from '../../kernel/ids.js';
import { Downloads } from '../../platform/http/downloads.js';
import { type ApiRequest, byClient, type Caller, CallerOf } from '../../platform/http/request.js';
import { RequestRefusal } from '../../platform/http/request-refusals.js';
import { Get, Post } from '../../platform/http/route.js';
import { NoFields } from '../../platform/http/validation/shapes.js';
import type { Once } from '../../platform/idempotency/idempotency.js';
import { OnceOnly } from '../../platform/idempotency/once.decorator.js';
import { Erasures } from '../application/erasures.service.js';
import { PrivacyRefusal } from '../domain/privacy-refusals.js';
import { PersonalDataQuery } from '../infrastructure/personal-data.query.js';
import { ErasureBody, presentErasure } from '../wire/erasure.js';
import { PersonalDataBody, personalDataJson } from '../wire/personal-data.js';

@ApiTags('customers')
@Controller('v1/finance/customers')
export class PersonalDataController {
  constructor(
    private readonly customers: Customers,
    private readonly data: PersonalDataQuery,
    private readonly erasures: Erasures,
    private readonly downloads: Downloads,
    private readonly clock: Clock,
  ) {}

  @Get(':id/personal-data', 'privacy:manage', {
    summary: 'Export all that is stored of a customer',
    description:
      'For a person who asks for access or wants to move (Art. 15 and 20 GDPR): master data, documents, money, messages, portal use, entries of the bank and the audit log, as they stand at one moment. Files (PDFs, e-invoices, attachments) are named, and read from their own routes. See docs/privacy.md.',
    answers: { json: [PersonalDataBody] },
    problems: [DocumentRefusal.customer_not_found, RequestRefusal.export_busy],
  })
  async getPersonalData(
    @CallerOf() { accountId }: Caller,
    @Param('id') id: string,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ) {
    const customer = await this.customers.find(accountId, customerId(id));
    const name = publicId('cus', customer.id);
    const pages = this.data.records(accountId, customer.id, customer.profile.email);
    await this.downloads.send(request, response, {
      type: 'application/json',
      chunks: personalDataJson(name, this.clock.now(), pages),
    });
  }

  @Post(':id/erase', 'privacy:manage', {
    summary: 'Erase the personal data of a customer, for good',
    description:
      'What no law asks to keep goes (Art. 17 GDPR), and `kept` says what stays, why and until when. Nothing may be open: drafts, quotes, due invoices, credit, mandates, schedules, disputes. The customer is not found or billed any more. The same call may be sent again. See docs/privacy.md.',
    answers: ErasureBody,
    problems: [DocumentRefusal.customer_not_found, PrivacyRefusal.customer_not_erasable],
  })
  async eraseCustomer(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body({ schema: NoFields }) _body: NoFields,
    @OnceOnly() once: Once,
  ) {
    return once.run(presentErasure, (guard) =>
      this.erasures.erase(byClient(caller), customerId(id), guard),
    );
  }
}
