import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CommandCaller } from '../cli/command-context.js';
import { commandFailure } from '../cli/failure.js';
import { SystemClock } from '../kernel/clock.js';
import { uuidOf } from '../kernel/ids.js';
import { Money } from '../kernel/money.js';
import { Installation } from '../extensions/installation.js';
import { configuredGateways } from '../gateways/index.js';
import {
  gatewayVariable,
  isPayoutSample,
  type Gateway,
  SAMPLE_EVENTS,
  type SampleDelivery,
  type SampleEvent,
} from '../payments/index.js';
import { OutgoingClient } from '../platform/http/outgoing/outgoing-client.js';
import { loadConfig } from '../platform/config/config.js';
import type { Demo } from './demo-account.js';

const EVENTS = SAMPLE_EVENTS.join('|');

/** Scripts of npm are those of a checkout. */
export const DEMO_COMMAND = import.meta.url.includes('/node_modules/')
  ? 'npx quittance demo-webhook'
  : 'npm run --silent demo:webhook --';

/** @returns 0; 1 when nothing was sent */
export async function runDemoWebhook(
  args: readonly string[],
  caller: CommandCaller,
): Promise<number> {
  try {
    await deliver(args, caller);
    return 0;
  } catch (error) {
    const { message } = error instanceof Error ? error : new Error(String(error));
    caller.warn(args.includes('--json') ? JSON.stringify(commandFailure(error)) : message);
    return 1;
  }
}

async function deliver(
  args: readonly string[],
  { environment, folder, print }: CommandCaller,
): Promise<void> {
  const isForged = args.includes('--forged');
  const isJson = args.includes('--json');
  const words = args.filter((arg) => arg !== '--forged' && arg !== '--json');
  const [name, word = 'paid', paymentId, ...rest] = words;
  const event = SAMPLE_EVENTS.find((one) => one === word);
  const { providers } = await Installation.read(environment, folder);
  const { dataDir } = await loadConfig(environment, folder, providers);
  const file = join(dataDir, 'demo.json');
  const text = await readFile(file, 'utf8').catch(() => {
    throw new Error(`${file} is not there: start the service with its demo first`);
  });
  const demo = JSON.parse(text) as Demo;
  const config = await loadConfig({ ...servedBy(demo), ...environment }, folder, providers);
  const link = demo.payment_links.find(({ gateway }) => gateway === name);
  const isWhole = event !== undefined && (event === 'paid' || paymentId !== undefined);
  if (!name || !link || !isWhole || rest.length > 0) {
    const known = demo.payment_links.map(({ gateway }) => gateway).join('|');
    throw new Error(`usage: ${DEMO_COMMAND} ${known} [${EVENTS} <provider_payment_id>] [--forged]`);
  }
  // Razorpay's begin alike.
  if (paymentId !== undefined && uuidOf('pay', paymentId) !== undefined) {
    throw new Error(
      'name the payment as the provider does: by its provider_payment_id, as sbx_..., which is the ' +
        'reference of the payment here',
    );
  }
  const clock = new SystemClock();
  const outgoing = new OutgoingClient(config.outgoing);
  const gateways = configuredGateways(config, { clock, outgoing }, providers.all);
  const amount = Money.of(BigInt(link.amount), link.currency);
  const gateway = gateways.get(name);
  if (!gateway) throw new Error(`the gateway ${name} is not configured`);
  const sample =
    paymentId === undefined
      ? gateway.samplePaidDelivery({ id: link.id, amount }, clock.serverNow())
      : gateway.sampleEventDelivery(
          event,
          { linkId: link.id, paymentId, amount },
          clock.serverNow(),
        );
  if (!sample) throw new Error(untold(event, gateway));
  if (isPayoutSample(event) && gateway.payoutNote !== null && !isJson) {
    print(`# ${gateway.payoutNote}`);
  }
  const body = isForged ? forged(sample, link.id) : sample.body;
  const url = `${demo.base_url}/v1/webhooks/${name}`;
  const { headers } = sample;
  if (!isJson) print(curlText({ url, headers, body }));
  const sent = outgoing.fetchFor([demo.base_url])(url, {
    method: 'POST',
    headers,
    body,
  });
  const answer = await sent.catch(() => {
    throw new Error(`nothing answers at ${demo.base_url}: start the service first`);
  });
  const { status } = answer;
  const told = await answer.text();
  print(
    isJson ? JSON.stringify({ url, headers, body, status, answer: told }) : `${status} ${told}`,
  );
}

function curlText({ url, headers, body }: { url: string } & SampleDelivery): string {
  const shown = Object.entries(headers).map(([key, value]) => `  -H '${key}: ${value}' \\\n`);
  return `curl -X POST ${url} \\\n${shown.join('')}  -d '${body}'\n`;
}

function untold(event: SampleEvent, { provider, payoutNote }: Gateway): string {
  if (!isPayoutSample(event)) return `${provider} never tells that a payment is ${event}`;
  return payoutNote ?? `${provider} has no event ${event}`;
}

/** Another link than the one that was signed; of an event that names none, another byte. */
function forged({ body }: SampleDelivery, linkId: string): string {
  return body.includes(linkId) ? body.replace(linkId, `${linkId}0`) : `${body} `;
}

/** The gateways that the service was started with, which this terminal need not know. */
function servedBy({ gateways }: Demo): Record<string, string> {
  const entries = Object.entries(gateways);
  return {
    GATEWAYS: entries.map(([name]) => name).join(','),
    ...Object.fromEntries(
      entries.map(([name, { provider }]) => [gatewayVariable(name, 'PROVIDER'), provider ?? name]),
    ),
  };
}
