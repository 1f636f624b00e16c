import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { Clock } from '../../kernel/clock.js';
import { minorDigits } from '../../kernel/currency.js';
import { DomainError } from '../../kernel/domain-error.js';
import { IdGenerator, publicId, type Uuid } from '../../kernel/ids.js';
import { newSecretText, sha256 } from '../domain/secret-text.js';
import { AccountRow } from '../infrastructure/account.row.js';
import { ApiClientRow } from '../infrastructure/api-client.row.js';

export interface NewAccount {
  name: string;
  currency: string;
  timeZone: string;
  /** Further fields of the seller's profile. */
  seller?: object;
}

/** A client's credentials; the secret is shown this once. */
export interface Credentials {
  client_id: string;
  client_secret: string;
}

/** Tenants and the API clients that act for them. */
@Injectable()
export class Accounts {
  constructor(
    @InjectRepository(AccountRow) private readonly accounts: Repository<AccountRow>,
    @InjectRepository(ApiClientRow) private readonly clients: Repository<ApiClientRow>,
    private readonly ids: IdGenerator,
    private readonly clock: Clock,
  ) {}

  async create(account: NewAccount): Promise<AccountRow> {
    if (account.name.trim() === '') {
      throw DomainError.invalid('required', '/name', '--name: say what the business is called.');
    }
    minorDigits(account.currency);
    if (!isTimeZone(account.timeZone)) {
      throw DomainError.invalid(
        'unknown_time_zone',
        '/time_zone',
        `${account.timeZone} is not an IANA time zone; send one such as Europe/Berlin.`,
      );
    }
    const row = this.accounts.create({
      accountId: this.ids.next(),
      name: account.name,
      seller: { name: account.name, ...account.seller },
      currency: account.currency,
      timeZone: account.timeZone,
      createdAt: this.clock.now(),
    });
    await this.accounts.insert(row);
    return row;
  }

  async find(accountId: Uuid): Promise<AccountRow> {
    const row = await this.accounts.findOneBy({ accountId });
    if (!row) throw DomainError.notFound('account_not_found', 'There is no such account.');
    return row;
  }

  async createClient(accountId: Uuid, name: string, scopes: string[]): Promise<Credentials> {
    await this.find(accountId);
    const clientId = this.ids.next();
    const secret = newSecretText();
    await this.clients.insert({
      clientId,
      accountId,
      name,
      secretSha256: sha256(secret),
      scopes,
      createdAt: this.clock.now(),
      revokedAt: null,
    });
    return { client_id: publicId('cli', clientId), client_secret: secret };
  }
}

function isTimeZone(name: string): boolean {
  try {
    return !!new Intl.DateTimeFormat('en', { timeZone: name });
  } catch {
    return false;
  }
}
