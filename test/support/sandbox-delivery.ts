import { randomUUID } from 'node:crypto';
import { signStandardWebhook } from '../../src/kernel/standard-webhook.js';
import type { TestService } from './service.js';

/** An event as the sandbox of a service would sign and send it. */
export function sandboxDelivery(
  { config, clock }: Pick<TestService, 'config' | 'clock'>,
  type: string,
  data: object,
): { body: string; headers: Record<string, string> } {
  const { settings } = config.gateways.find(({ name }) => name === 'sandbox')!;
  const key = Buffer.from(String(settings['webhook_secret']).slice('whsec_'.length), 'base64');
  const id = `msg_${randomUUID()}`;
  const body = JSON.stringify({ id, type, data });
  const unixSeconds = Math.floor(clock.serverNow().getTime() / 1000);
  const headers = signStandardWebhook([key], { id, unixSeconds, body });
  return { body, headers: { 'content-type': 'application/json', ...headers } };
}
