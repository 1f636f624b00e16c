import { z } from 'zod';
import type { DataOf } from '../../../events/index.js';
import {
  changedFields,
  publicIdOf,
  count,
} from '../../../platform/http/validation/answer-fields.js';
import {
  GATEWAY_STATUSES,
  keyOfGateway,
  type KeptSettings,
  type ReadGateway,
} from '../domain/account-gateway.js';

const step = z
  .object({
    gateway: z
      .object({
        id: publicIdOf('gw'),
        name: z.string().meta({ example: 'Cards' }),
        provider: z.string().meta({ example: 'stripe' }),
        status: z.enum(GATEWAY_STATUSES),
        version: count,
      })
      .meta({ id: 'Gateway', description: 'It has no setting: those are secret.' }),
  })
  .meta({ id: 'GatewayStep' });

const updated = step
  .extend({
    changed: changedFields.meta({ example: ['/settings/webhook_secret'] }),
  })
  .meta({ id: 'GatewayUpdate' });

/** The events about the gateways that an account configures itself; none is deleted. */
export const GATEWAY_EVENTS = {
  'gateway.created': { when: 'A gateway was made.', data: step, example: {} },
  'gateway.updated': {
    when: 'A gateway has another name, setting or secret.',
    data: updated,
    example: {},
  },
  'gateway.enabled': { when: 'A gateway makes new links again.', data: step, example: {} },
  'gateway.disabled': {
    when: 'A gateway makes no new link any more.',
    data: step,
    example: { gateway: { status: 'disabled' } },
  },
};

declare module '../../../events/domain/event.js' {
  interface EventData extends DataOf<typeof GATEWAY_EVENTS> {}
}

export function gatewayStep(gateway: ReadGateway) {
  const { name, provider, status, version } = gateway;
  return { gateway: { id: keyOfGateway(gateway), name, provider, status, version } };
}

/** Names of settings, and never what they hold. */
export function gatewayUpdate(before: ReadGateway, after: ReadGateway) {
  const changed = [
    ...(before.name === after.name ? [] : ['/name']),
    ...changedSettingsOf(before.settings ?? {}, after.settings ?? {}),
  ];
  return { ...gatewayStep(after), changed };
}

function changedSettingsOf(before: KeptSettings, after: KeptSettings): string[] {
  const names = Object.keys({ ...before, ...after });
  const differ = (name: string) => JSON.stringify(before[name]) !== JSON.stringify(after[name]);
  return names.filter(differ).map((name) => `/settings/${name}`);
}
