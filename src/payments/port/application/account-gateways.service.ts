import { Injectable } from '@nestjs/common';
import { type AuditedTx, AuditedWork } from '../../../auth/index.js';
import { EventLog } from '../../../events/index.js';
import type { By } from '../../../kernel/actor.js';
import type { Uuid } from '../../../kernel/ids.js';
import { assertVersion, type ExpectedVersions } from '../../../kernel/versions.js';
import type { CommitGuard } from '../../../platform/database/tx.js';
import {
  accountGatewayNotFound,
  changedSettings,
  type GatewayStatus,
  isOverlapping,
  gatewayUnreadable,
  keyOfGateway,
  type KeptSettings,
  type ReadGateway,
  setTimesOf,
  tooManyGateways,
} from '../domain/account-gateway.js';
import { AccountGatewayRepository } from '../infrastructure/account-gateway.repository.js';
import { gatewayStep, gatewayUpdate } from '../wire/gateway-events.js';
import { AccountGatewayJudge } from './account-gateway-judge.js';
import { GatewaySettingsCipher } from './gateway-settings-cipher.js';

const HOUR_MS = 3_600_000;
const MOST_GATEWAYS = 20;

export interface NewGateway {
  name: string;
  provider: string;
  settings: Readonly<Record<string, string>>;
}

export interface GatewayChange {
  name: string | null;
  /** Null takes one away. */
  settings: Readonly<Record<string, string | null>>;
}

type Guard = CommitGuard<ReadGateway> | undefined;
type Action = 'created' | 'updated' | 'enabled' | 'disabled' | 'secret_rotated' | 'secret_retired';

/** The gateways that an account configures itself (decision 165). */
@Injectable()
export class AccountGateways {
  constructor(
    private readonly audited: AuditedWork,
    private readonly repository: AccountGatewayRepository,
    private readonly cipher: GatewaySettingsCipher,
    private readonly judge: AccountGatewayJudge,
    private readonly events: EventLog,
  ) {}

  async list(accountId: Uuid): Promise<ReadGateway[]> {
    const all = await this.repository.ofAccount(accountId);
    return all.map((one) => this.cipher.read(one));
  }

  async find(accountId: Uuid, id: Uuid): Promise<ReadGateway> {
    const found = await this.repository.find(id);
    if (found?.accountId !== accountId) throw accountGatewayNotFound();
    return this.cipher.read(found);
  }

  /** @throws DomainError with every wrong field, `too_many_gateways` */
  async create(by: By, wish: NewGateway, guard?: Guard): Promise<ReadGateway> {
    return this.audited.run(by, guard, async (audited) => {
      const { tx, accountId } = audited;
      const { all: others, isTest } = await this.repository.ofAccountForUpdate(tx, accountId);
      const now = audited.serverNow();
      const owner = { accountId, id: tx.newId() };
      const settings = changedSettings({}, wish.settings, now);
      const judged = { ...wish, ...owner, settings, isTest, withPrevious: false };
      this.judge.assertSound(judged, wish.settings, others);
      if (others.length >= MOST_GATEWAYS) throw tooManyGateways(MOST_GATEWAYS);
      const made: ReadGateway = {
        ...owner,
        name: wish.name,
        provider: wish.provider,
        settings,
        sealed: this.cipher.seal(owner, settings),
        previousSecretEndsAt: null,
        status: 'enabled',
        version: 1,
        createdAt: now,
        updatedAt: now,
      };
      this.repository.insert(tx, made);
      record(audited, 'created', null, made);
      this.events.tell(tx, by, 'gateway.created', gatewayStep(made));
      return made;
    });
  }

  /**
   * A webhook secret that is set here counts alone and at once.
   * @throws DomainError `gateway_not_found`, `version_mismatch`, `gateway_unreadable`, and with
   *   every wrong field
   */
  async change(
    by: By,
    id: Uuid,
    change: GatewayChange,
    expected: ExpectedVersions,
    guard?: Guard,
  ): Promise<ReadGateway> {
    return this.audited.run(by, guard, async (audited) => {
      const { before, others, isTest } = await this.forUpdate(audited, id, expected);
      const now = audited.serverNow();
      // Settings that nobody can read are made anew by whoever sends all of them.
      const settings = changedSettings(before.settings ?? {}, change.settings, now);
      const name = change.name ?? before.name;
      const hasPrevious = isOverlapping(before, now) && previousIn(settings);
      const judged = { ...before, name, settings, isTest, withPrevious: !!hasPrevious };
      this.judge.assertSound(judged, change.settings, others);
      const isSame = JSON.stringify(settings) === JSON.stringify(before.settings);
      if (isSame && name === before.name) return before;
      const previousSecretEndsAt = hasPrevious ? before.previousSecretEndsAt : null;
      const after = { ...before, name, settings, previousSecretEndsAt };
      return this.save(audited, 'updated', before, after);
    });
  }

  /** The secret before still counts until it is retired, or the hours are over. */
  async rotateSecret(
    by: By,
    id: Uuid,
    { secret, overlapHours }: { secret: string; overlapHours: number },
    expected: ExpectedVersions,
    guard?: Guard,
  ): Promise<ReadGateway> {
    return this.audited.run(by, guard, async (audited) => {
      const { before, isTest } = await this.forUpdate(audited, id, expected);
      if (!before.settings) throw gatewayUnreadable();
      const setting = this.judge.rotatedOf(before.provider);
      const now = audited.serverNow();
      const previous = overlapHours > 0 ? before.settings[setting]?.value : undefined;
      const kept = { value: secret, ...(previous && { previous }), setAt: now.toISOString() };
      const settings = { ...before.settings, [setting]: kept };
      const withPrevious = previous !== undefined;
      this.judge.assertSecret({ ...before, settings, isTest, withPrevious }, { [setting]: secret });
      const endsAt = previous ? new Date(now.getTime() + overlapHours * HOUR_MS) : null;
      const after = { ...before, settings, previousSecretEndsAt: endsAt };
      return this.save(audited, 'secret_rotated', before, after);
    });
  }

  /** To retire twice is as once. @throws DomainError as `rotateSecret` */
  async retireSecret(
    by: By,
    id: Uuid,
    expected: ExpectedVersions,
    guard?: Guard,
  ): Promise<ReadGateway> {
    return this.audited.run(by, guard, async (audited) => {
      const { before } = await this.forUpdate(audited, id, expected);
      if (!before.settings) throw gatewayUnreadable();
      if (!previousIn(before.settings)) return before;
      const settings = withoutPrevious(before.settings);
      const after = { ...before, settings, previousSecretEndsAt: null };
      return this.save(audited, 'secret_retired', before, after);
    });
  }

  async turn(
    by: By,
    id: Uuid,
    status: GatewayStatus,
    expected: ExpectedVersions,
    guard?: Guard,
  ): Promise<ReadGateway> {
    return this.audited.run(by, guard, async (audited) => {
      const { before } = await this.forUpdate(audited, id, expected);
      if (before.status === status) return before;
      return this.save(audited, status, before, { ...before, status });
    });
  }

  private async forUpdate({ tx, accountId }: AuditedTx, id: Uuid, expected: ExpectedVersions) {
    const { all, isTest } = await this.repository.ofAccountForUpdate(tx, accountId);
    const found = all.find((one) => one.id === id);
    if (!found) throw accountGatewayNotFound();
    assertVersion(expected, found.version);
    const others = all.filter((one) => one !== found);
    return { before: this.cipher.read(found), others, isTest };
  }

  private save(
    audited: AuditedTx,
    action: Action,
    before: ReadGateway,
    changed: ReadGateway,
  ): ReadGateway {
    const { settings } = changed;
    const after = {
      ...changed,
      sealed: settings ? this.cipher.seal(changed, settings) : changed.sealed,
      version: before.version + 1,
      updatedAt: audited.serverNow(),
    };
    this.repository.save(audited.tx, after);
    record(audited, action, before, after);
    if (action === 'enabled' || action === 'disabled') {
      this.events.tell(audited.tx, audited, `gateway.${action}`, gatewayStep(after));
    } else {
      this.events.tell(audited.tx, audited, 'gateway.updated', gatewayUpdate(before, after));
    }
    return after;
  }
}

function record(
  audited: AuditedTx,
  action: Action,
  before: ReadGateway | null,
  after: ReadGateway,
): void {
  audited.record({
    action: `gateway.${action}`,
    subject: keyOfGateway(after),
    before: before && told(before),
    after: told(after),
  });
}

/** No value of any setting. */
function told({ name, provider, status, settings, previousSecretEndsAt }: ReadGateway) {
  return {
    name,
    provider,
    status,
    settings: setTimesOf(settings),
    previous_secret_ends_at: previousSecretEndsAt,
  };
}

function previousIn(settings: KeptSettings): boolean {
  return Object.values(settings).some(({ previous }) => previous !== undefined);
}

function withoutPrevious(settings: KeptSettings): KeptSettings {
  const entries = Object.entries(settings).map(([name, { value, setAt }]) => [
    name,
    { value, setAt },
  ]);
  return Object.fromEntries(entries) as KeptSettings;
}
