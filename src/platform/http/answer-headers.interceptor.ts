import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Response } from 'express';
import { type Observable, tap } from 'rxjs';
import { Config } from '../config/config.js';
import { StoredReply } from './stored-reply.js';

export const ANSWER_FIELDS = 'quittance:answer-fields';

/** The fields of an answer that its headers tell. */
export interface AnswerFields {
  /** It is the `ETag`, where the answer has it. */
  tag: string;
  /** The path of a new thing below `/v1/`, with fields in braces; null: it has none. */
  at: string | null;
}

const FIELD = /\{([\w.]+)\}/g;

/**
 * Tells the version of an answer as `ETag`, which `If-Match` takes, and the address of a new thing as
 * `Location`. A stored answer has the headers that it had.
 */
@Injectable()
export class AnswerHeaders implements NestInterceptor {
  constructor(
    private readonly config: Config,
    private readonly reflector: Reflector,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler<object | undefined>): Observable<unknown> {
    const response = context.switchToHttp().getResponse<Response>();
    const fields = this.reflector.get<AnswerFields>(ANSWER_FIELDS, context.getHandler());
    return next.handle().pipe(
      tap({
        // Nothing comes from a handler that sends its answer itself.
        next: (body) => body && this.tell(response, fields, response.statusCode, body),
        error: (error: unknown) => {
          if (!(error instanceof StoredReply)) return;
          const body = JSON.parse(error.body.toString()) as object;
          this.tell(response, fields, error.status, body);
        },
      }),
    );
  }

  private tell(response: Response, { tag, at }: AnswerFields, status: number, body: object): void {
    const version = fieldOf(body, tag);
    if (version != null) response.setHeader('ETag', `"${version}"`);
    if (at === null || status !== 201) return;
    const path = at.replace(FIELD, (_, field: string) => encodeURIComponent(fieldOf(body, field)));
    response.setHeader('Location', `${this.config.baseUrl}/v1/${path}`);
  }
}

/** @param path such as `payment.id` */
function fieldOf(body: object, path: string): string {
  const field = path.split('.').reduce<unknown>((at, name) => (at as never)[name], body);
  return field as string;
}
