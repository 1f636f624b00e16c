import type { RefundFault } from './refund-stand-in.js';

/** A provider's API that can be made to fail between us and it. */
export class FaultyFetch {
  calls: string[] = [];
  /** Of the next call that makes a refund. */
  fault: RefundFault | null = null;
  /** Of all other calls, until it is null again. */
  lookUpStatus: number | null = null;

  constructor(
    private readonly answer: typeof globalThis.fetch,
    private readonly isRefund: (url: string, method: string) => boolean,
  ) {}

  readonly fetch = (async (url: string | URL, init?: RequestInit) => {
    const method = init?.method ?? 'GET';
    this.calls.push(`${method} ${String(url)}`);
    if (this.isRefund(String(url), method)) return this.refunded(url, init);
    if (this.lookUpStatus !== null) return new Response('{}', { status: this.lookUpStatus });
    return this.answer(url, init);
  }) as typeof globalThis.fetch;

  private async refunded(url: string | URL, init?: RequestInit): Promise<Response> {
    const { fault } = this;
    this.fault = null;
    if (fault === 'broken') throw new TypeError('the connection broke');
    if (fault === 'failing') return new Response('{}', { status: 500 });
    if (fault === 'busy') return new Response('{}', { status: 429 });
    const response = await this.answer(url, init);
    if (fault === 'lost') throw new TypeError('the connection broke');
    return fault === 'garbled' ? new Response('<html>', { status: response.status }) : response;
  }
}
