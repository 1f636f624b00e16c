import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
} from '@nestjs/common';
import type { Response } from 'express';
import { catchError, type Observable } from 'rxjs';
import { Locale, type Texts, DocumentRefusal } from '../../documents/index.js';
import { DomainError } from '../../kernel/domain-error.js';
import type { ApiRequest } from '../../platform/http/request.js';
import { PortalPages } from '../application/portal-pages.service.js';
import { inLanguageOf } from './portal-language.js';
import { sendPortalPage } from './portal-page.js';
import type { RefusedForm } from './portal-props.js';
import { ScheduleRefusal } from '../../schedules/index.js';
import { RequestRefusal } from '../../platform/http/request-refusals.js';

const STATUSES: Partial<Record<DomainError['kind'], number>> = {
  not_found: 404,
  conflict: 409,
  invalid: 422,
  unavailable: 503,
};

const PAY_REFUSALS: Record<string, 'nothingDue' | 'unavailable' | 'tooOften'> = {
  document_not_payable: 'nothingDue',
  gateway_not_found: 'unavailable',
  gateway_not_assigned: 'unavailable',
  gateway_unavailable: 'unavailable',
  gateway_refused: 'unavailable',
  gateway_disabled: 'unavailable',
  gateway_unreadable: 'unavailable',
  too_many_payment_links: 'tooOften',
};

/** Answers a form with the page and a sentence instead of a problem document. */
@Injectable()
export class FormRefusals implements NestInterceptor {
  constructor(private readonly pages: PortalPages) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const request = http.getRequest<ApiRequest>();
    assertOwnForm(request);
    return next.handle().pipe(
      catchError(async (error: unknown) => {
        const isForm = request.is('application/x-www-form-urlencoded');
        if (!isForm || !(error instanceof DomainError)) throw error;
        const status = STATUSES[error.kind];
        if (status === undefined || error.code === DocumentRefusal.portal_link_not_found.code)
          throw error;
        const token = String(request.params['token']);
        const portal = inLanguageOf(request, await this.pages.openPage(token));
        const { texts } = Locale.of(portal.view.language);
        const response = http.getResponse<Response>().status(status);
        const refused = refusedForm(request, error);
        sendPortalPage(response, portal, token, noticeOf(error, texts), refused);
      }),
    );
  }
}

/** The page below the sentence shows why it was refused. */
function noticeOf({ kind, code }: DomainError, { refusals, pay, recurring }: Texts): string {
  const said = PAY_REFUSALS[code];
  if (said) return pay[said];
  if (code === DocumentRefusal.payment_processing.code) return refusals.onItsWay;
  if (code === DocumentRefusal.document_not_acceptable.code) return refusals.notAcceptable;
  if (code === DocumentRefusal.document_not_rejectable.code) return refusals.notRejectable;
  if (code === ScheduleRefusal.schedule_end_not_offered.code) return recurring.notOffered;
  return kind === 'invalid' ? refusals.reason : refusals.again;
}

/** The same form again, with what is wrong in it. */
function refusedForm({ path, body }: ApiRequest, error: DomainError): RefusedForm | undefined {
  const step = path.endsWith('/accept') ? 'accept' : path.endsWith('/reject') ? 'reject' : null;
  if (error.kind !== 'invalid' || step === null) return undefined;
  const sent = (body ?? {}) as Record<string, unknown>;
  const values = Object.fromEntries(
    Object.entries(sent).filter((field): field is [string, string] => typeof field[1] === 'string'),
  );
  const wrong = new Set(error.errors.map(({ pointer }) => pointer.slice(1)));
  // The first refusal hides the fields that are judged later.
  if (step === 'accept' && !values['name']?.trim()) wrong.add('name');
  if (step === 'accept' && values['confirmed'] !== 'true') wrong.add('confirmed');
  return { step, values, wrong };
}

/**
 * Another site may not answer or pay in the client's name. Browsers say where a request comes from;
 * a program says nothing.
 */
function assertOwnForm({ headers }: ApiRequest): void {
  if (headers['sec-fetch-site'] !== 'cross-site') return;
  throw RequestRefusal.cross_site_request.of();
}
