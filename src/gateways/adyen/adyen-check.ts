import type { Clock } from '../../kernel/clock.js';
import type { GatewayCheck } from '../../payments/index.js';
import { errorCode } from '../provider-api.js';
import { asked, noKey, untoldWebhook } from '../provider-check.js';
import type { AdyenApi } from './adyen-api.js';

const NO_LIST_OF_WEBHOOKS =
  'this key cannot read webhooks; see Developers, Webhooks, in the Customer Area';
/** docs.adyen.com/development-resources/error-codes: a merchant account that the key does not have. */
const OTHER_ACCOUNT = '901';

/** A key that may not read this makes no pay pages either, so a 403 is a failure here. */
export async function checkedAdyen(
  api: AdyenApi | undefined,
  clock: Clock,
): Promise<readonly GatewayCheck[]> {
  if (!api) return noKey('API_KEY');
  const { answer, checks } = await asked('Adyen', clock, async () => api.paymentMethods());
  const webhook = untoldWebhook(NO_LIST_OF_WEBHOOKS);
  if (answer?.status !== 403 && answer?.status !== 422) return [...checks, webhook];
  const isOther = errorCode(answer.json) === OTHER_ACCOUNT;
  if (answer.status === 422 && !isOther) return [...checks, webhook];
  const detail = isOther
    ? 'the key is not of this MERCHANT_ACCOUNT'
    : 'the key has no right to make pay pages: it needs the Checkout role';
  const others = checks.filter(({ check }) => check !== 'credentials');
  return [{ check: 'credentials', status: 'failed', detail }, ...others, webhook];
}
