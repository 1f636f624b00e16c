import {
  Gateway,
  type RefundFound,
  type RefundOutcome,
  type RefundRequest,
} from '../payments/index.js';
import { unavailable } from './provider-api.js';
import { refusedIsFailed, refusedIsUnavailable } from './provider-refund.js';
import type { GatewayContext } from './provider.js';

/** @throws DomainError `conflict` / `gateway_refused` when the provider clearly says no */
export interface RefundApi {
  createRefund(request: RefundRequest): Promise<RefundOutcome>;
  /** Absent where only events tell what becomes of a refund. */
  findRefund?(request: RefundRequest): Promise<RefundFound>;
}

/** A gateway whose provider has an API. Without a key for it there is none, and nothing is called. */
export abstract class GatewayWithApi<Api> extends Gateway {
  abstract override readonly title: string;

  constructor(
    protected readonly context: GatewayContext,
    protected readonly api: Api | undefined,
    private readonly refunds: RefundApi | undefined,
  ) {
    super(context);
  }

  get canRefund(): boolean {
    return this.refunds !== undefined;
  }

  override get tellsCheckouts(): boolean {
    return this.api !== undefined;
  }

  async refund(request: RefundRequest): Promise<RefundOutcome> {
    if (!this.refunds) throw unavailable(this.title);
    return refusedIsFailed(this.refunds.createRefund(request));
  }

  override async lookUpRefund(request: RefundRequest): Promise<RefundFound> {
    if (!this.refunds) throw unavailable(this.title);
    const found = this.refunds.findRefund?.(request) ?? super.lookUpRefund(request);
    return refusedIsUnavailable(found, this.title);
  }
}
