import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
} from '@nestjs/common';
import type { Response } from 'express';
import { catchError, type Observable } from 'rxjs';
import { DomainError } from '../../kernel/domain-error.js';
import type { ApiRequest } from '../../platform/http/request.js';
import { PortalPages } from '../application/portal-pages.service.js';
import { sendPortalPage } from './portal-page.js';

/** A person who sent a form gets the page again with a sentence, not a problem document. */
@Injectable()
export class FormRefusals implements NestInterceptor {
  constructor(private readonly pages: PortalPages) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const request = http.getRequest<ApiRequest>();
    return next.handle().pipe(
      catchError(async (error: unknown) => {
        const isForm = request.is('application/x-www-form-urlencoded');
        if (!isForm || !(error instanceof DomainError) || error.kind === 'not_found') throw error;
        const token = String(request.params['token']);
        const portal = await this.pages.open(token);
        const status = error.kind === 'conflict' ? 409 : 422;
        const response = http.getResponse<Response>().status(status);
        sendPortalPage(response, token, portal, error.detail);
      }),
    );
  }
}
