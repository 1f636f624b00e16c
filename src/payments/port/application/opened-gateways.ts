import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { type Uuid, uuidOf } from '../../../kernel/ids.js';
import {
  type AccountGateway,
  gatewayUnreadable,
  isOverlapping,
  keyOfGateway,
  ProviderCatalogue,
  settingTexts,
} from '../domain/account-gateway.js';
import type { Gateway } from '../domain/gateway.js';
import { type OwnGateway, OwnGateways, type Reads } from '../domain/gateways.js';
import { AccountGatewayRepository } from '../infrastructure/account-gateway.repository.js';
import { GatewaySettingsCipher } from './gateway-settings-cipher.js';

const MOST_OPEN = 1000;

interface Opened {
  version: number;
  withPrevious: boolean;
  gateway: Gateway;
}

/**
 * Accounts' gateways, kept open because they hold tokens and look-ups. Each use reads the row, so a
 * change counts at the next use in every process.
 */
@Injectable()
export class OpenedGateways extends OwnGateways {
  private readonly opened = new Map<Uuid, Opened>();

  constructor(
    private readonly repository: AccountGatewayRepository,
    private readonly cipher: GatewaySettingsCipher,
    private readonly catalogue: ProviderCatalogue,
    private readonly clock: Clock,
  ) {
    super();
  }

  async find(key: string, reads?: Reads): Promise<OwnGateway | undefined> {
    const id = uuidOf('gw', key);
    const found = id && (await this.repository.find(id, reads));
    if (!found) return undefined;
    const own = this.open(found);
    if (!own) throw gatewayUnreadable();
    return own;
  }

  async ofAccount(accountId: Uuid, reads?: Reads): Promise<readonly OwnGateway[]> {
    const all = await this.repository.ofAccount(accountId, reads);
    return all.flatMap((one) => this.open(one) ?? []);
  }

  async ofAllAccounts(): Promise<readonly OwnGateway[]> {
    const all = await this.repository.ofAllAccounts();
    return all.flatMap((one) => this.open(one) ?? []);
  }

  private open(stored: AccountGateway): OwnGateway | undefined {
    const { id, version, name: ownName, status } = stored;
    const withPrevious = isOverlapping(stored, this.clock.serverNow());
    const known = this.opened.get(id);
    const isFresh = known?.version === version && known.withPrevious === withPrevious;
    const gateway = isFresh ? known.gateway : this.openAnew(stored, withPrevious);
    if (!gateway) return undefined;
    this.keep(id, { version, withPrevious, gateway });
    return { gateway, ownName, isEnabled: status === 'enabled' };
  }

  private openAnew(stored: AccountGateway, withPrevious: boolean): Gateway | undefined {
    const { settings } = this.cipher.read(stored);
    if (!settings) return undefined;
    const opened = this.catalogue.open({
      name: keyOfGateway(stored),
      accountId: stored.accountId,
      provider: stored.provider,
      settings: settingTexts(settings, withPrevious),
    });
    return Array.isArray(opened) ? undefined : opened;
  }

  /** The one that was not used for longest goes. */
  private keep(id: Uuid, opened: Opened): void {
    this.opened.delete(id);
    this.opened.set(id, opened);
    if (this.opened.size <= MOST_OPEN) return;
    for (const [oldest] of this.opened) {
      this.opened.delete(oldest);
      return;
    }
  }
}
