import type { ModulesContainer } from '@nestjs/core';
import { ConfigError } from '../platform/config/config-error.js';
import { declaredPorts } from '../platform/ports.js';

/**
 * A port that a module of an installation provides for itself reaches none of ours, though it looks
 * as if it did.
 * @throws ConfigError that names port and modules
 */
export function assertPortsReachUs(modules: ModulesContainer): void {
  for (const port of declaredPorts()) {
    const by = [...modules.values()].filter(({ providers }) => providers.has(port as never));
    if (by.length < 2) continue;
    const { name } = port as { name: string };
    throw new ConfigError(
      `${name} is provided by ${by.map((one) => one.name).join(' and ')}, and Quittance has only ` +
        'its own: name yours in `ports` of defineExtension.',
    );
  }
}
