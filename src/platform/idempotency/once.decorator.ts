import {
  createParamDecorator,
  type ExecutionContext,
  Injectable,
  type PipeTransform,
} from '@nestjs/common';
import { HTTP_CODE_METADATA } from '@nestjs/common/constants.js';
import type { ApiRequest } from '../http/request.js';
import { fromHeader } from '../http/route.js';
import { Idempotency, type Once } from './idempotency.js';

interface Handled {
  request: ApiRequest;
  status: number;
}

@Injectable()
class ToOnce implements PipeTransform<Handled, Once> {
  constructor(private readonly idempotency: Idempotency) {}

  transform({ request, status }: Handled): Once {
    return this.idempotency.of(request, status);
  }
}

const Handling = createParamDecorator((_: unknown, context: ExecutionContext): Handled => {
  const request = context.switchToHttp().getRequest<ApiRequest>();
  const status = Reflect.getMetadata(HTTP_CODE_METADATA, context.getHandler()) as number;
  return { request, status };
});

const HEADER = {
  name: 'Idempotency-Key',
  required: false,
  description:
    'For 72 hours, the same key and body get the stored answer again, byte for byte, with ' +
    '`Idempotency-Replayed: true`. A refusal is not stored: the same call is judged anew.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
} as const;

/** The request's `Idempotency-Key`, as a guard of its only transaction. */
export const OnceOnly = () => fromHeader(HEADER, Handling(ToOnce));
