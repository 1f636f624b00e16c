import {
  createParamDecorator,
  type ExecutionContext,
  Injectable,
  type PipeTransform,
} from '@nestjs/common';
import { HTTP_CODE_METADATA } from '@nestjs/common/constants.js';
import type { ApiRequest } from '../http/request.js';
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
  const declared = Reflect.getMetadata(HTTP_CODE_METADATA, context.getHandler()) as unknown;
  const fallback = request.method === 'POST' ? 201 : 200;
  return { request, status: typeof declared === 'number' ? declared : fallback };
});

/** The request's `Idempotency-Key`, as a guard for the one transaction it may have. */
export const OnceOnly = () => Handling(ToOnce);
