import type { Clock } from '../kernel/clock.js';
import { DomainError } from '../kernel/domain-error.js';
import type { GatewayCheck } from '../payments/index.js';
import { errorCode, type ProviderAnswer } from './provider-api.js';
import { GatewayRefusal } from '../payments/index.js';

/** Providers refuse what is some minutes off, and so do we. */
const MOST_SKEW_SECONDS = 60;

/** A gateway that cannot ask its provider anything. */
export function noKey(setting: string): GatewayCheck[] {
  const detail = `without ${setting} nothing can be asked`;
  return [{ check: 'credentials', status: 'unknown', detail }];
}

/**
 * Tries the credentials, and compares the clocks, by one cheap read. Only 401 says that they are
 * wrong; another refusal is about the right to read this.
 * @returns no answer where none came
 */
export async function asked(
  provider: string,
  clock: Clock,
  ask: () => Promise<ProviderAnswer>,
): Promise<{ answer: ProviderAnswer | null; checks: GatewayCheck[] }> {
  const answer = await answerOf(provider, ask);
  if (answer instanceof DomainError) return { answer: null, checks: [fromRefusal(answer)] };
  const checks = [credentials(provider, answer), ...clockCheck(answer, clock)];
  return { answer, checks };
}

export function takenBy(provider: string): GatewayCheck {
  return { check: 'credentials', status: 'ok', detail: `${provider} takes them` };
}

/** Nobody can be asked about the webhooks: it says where to look instead. */
export function untoldWebhook(detail: string): GatewayCheck {
  return { check: 'webhook', status: 'unknown', detail };
}

/** A look at the webhooks that the provider has of us. */
export async function askedForWebhook(
  provider: string,
  ask: () => Promise<ProviderAnswer>,
  judge: (answer: ProviderAnswer) => Omit<GatewayCheck, 'check'>,
): Promise<GatewayCheck> {
  const answer = await answerOf(provider, ask);
  if (answer instanceof DomainError || answer.status >= 400) {
    return untoldWebhook(`${provider} does not tell its webhooks`);
  }
  return { check: 'webhook', ...judge(answer) };
}

/** Whether a webhook gets all events. @param subscribed those that it gets, or `*` */
export function judgedEvents(
  subscribed: readonly string[],
  wanted: readonly string[],
): Omit<GatewayCheck, 'check'> {
  const has = new Set(subscribed);
  const missing = has.has('*') ? [] : wanted.filter((event) => !has.has(event));
  if (missing.length === 0) return { status: 'ok', detail: 'all events are subscribed' };
  return { status: 'warning', detail: `these events are not subscribed: ${missing.join(', ')}` };
}

async function answerOf(
  provider: string,
  ask: () => Promise<ProviderAnswer>,
): Promise<ProviderAnswer | DomainError> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof DomainError) return error;
    // Nothing of it is told: it may quote the key.
    return GatewayRefusal.gateway_unavailable.later(1, `${provider} cannot be asked.`);
  }
}

function fromRefusal({ code, detail, context }: DomainError): GatewayCheck {
  const isNo = code === GatewayRefusal.gateway_refused.code && context['provider_status'] === 401;
  return {
    check: 'credentials',
    status: isNo ? 'failed' : 'unknown',
    detail: isNo ? 'the credentials are refused' : detail,
  };
}

function credentials(provider: string, { status, json }: ProviderAnswer): GatewayCheck {
  const check = 'credentials';
  if (status < 300) return takenBy(provider);
  if (status === 401) return { check, status: 'failed', detail: 'the credentials are refused' };
  const code = errorCode(json);
  const answer = `${provider} answers ${status}${code ? ` (${code})` : ''}`;
  const detail = status === 403 ? `the credentials have no right to read this: ${answer}` : answer;
  return { check, status: 'unknown', detail };
}

function clockCheck({ date }: ProviderAnswer, clock: Clock): GatewayCheck[] {
  const theirs = Date.parse(date ?? '');
  if (Number.isNaN(theirs)) return [];
  const seconds = Math.round((clock.serverNow().getTime() - theirs) / 1000);
  const isNear = Math.abs(seconds) <= MOST_SKEW_SECONDS;
  const way = seconds > 0 ? 'ahead of' : 'behind';
  return [
    {
      check: 'clock',
      status: isNear ? 'ok' : 'failed',
      detail: isNear
        ? 'our clock agrees'
        : `our clock is ${Math.abs(seconds)} s ${way} the provider's; signatures may be refused`,
    },
  ];
}
