import { Injectable } from '@nestjs/common';
import {
  ACCOUNT_DEFAULTS,
  type AccountRow,
  Accounts,
  type AuditedTx,
  AuditedWork,
} from '../../auth/index.js';
import type { By } from '../../kernel/actor.js';
import type { IsoDate } from '../../kernel/clock.js';
import type { Currency } from '../../kernel/currency.js';
import { oldestDay } from '../../kernel/fact-dates.js';
import type { Uuid } from '../../kernel/ids.js';
import { assertVersion, type ExpectedVersions } from '../../kernel/versions.js';
import { Listeners } from '../../platform/database/listeners.js';
import type { CommitGuard, Tx } from '../../platform/database/tx.js';
import { taxRateProblem } from '../domain/catalogue/tax-rate.js';
import { type DocumentDefaults, defaultsOf } from '../domain/drafts/document-defaults.js';
import { type Logo, LogoEncoder, type LogoType } from '../domain/parties/logo.js';
import { type Seller, sellerOf } from '../domain/parties/party.js';
import { patchedSeller, type SellerPatch } from '../domain/parties/seller-profile.js';
import { TaxRateRepository } from '../infrastructure/catalogue/tax-rate.repository.js';
import { SellerLogos } from '../infrastructure/seller-logos.repository.js';
import { DocumentRefusal } from '../domain/refusals.js';
import { FieldRefusal, invalidFields } from '../../kernel/field-refusals.js';
import { CommonRefusal } from '../../kernel/common-refusals.js';

/** An undefined field stays; null brings back the default of a new account. */
export interface ProfilePatch {
  seller: SellerPatch;
  currency?: Currency;
  baseCurrency?: Currency;
  timeZone?: string;
  language?: string | null;
  paymentTermsDays?: number | null;
  documentNotes?: string | null;
  /** The fields that are given replace what is there. */
  documentDefaults: Partial<DocumentDefaults>;
  booksFrom?: IsoDate | null;
  issueDaysAhead?: number | null;
  strict?: boolean | null;
  defaultTaxRateId?: Uuid | null;
}

/** A seller, or the defaults of its documents, as it was and as it is now. */
export interface SellerChange {
  by: By;
  before: AccountRow;
  after: AccountRow;
}

type Defaults = Omit<ProfilePatch, 'seller'>;
type Guard = CommitGuard<AccountRow>;
/** Whether the caller decided on the logo that is current; null when there is none. */
type IsCurrent = (sha256: string | null) => boolean;

/**
 * The sender of an account's documents, and the defaults of new ones. Issued ones keep their copy.
 */
@Injectable()
export class SellerProfiles {
  private readonly listeners = new Listeners<SellerChange>();

  constructor(
    private readonly audited: AuditedWork,
    private readonly accounts: Accounts,
    private readonly logos: SellerLogos,
    private readonly taxRates: TaxRateRepository,
    private readonly encoder: LogoEncoder,
  ) {}

  /** Modules to the right may add their own writes to the transaction of a change. */
  onChange(listener: (tx: Tx, change: SellerChange) => void): void {
    this.listeners.add(listener);
  }

  async find(accountId: Uuid): Promise<AccountRow> {
    return this.accounts.find(accountId);
  }

  async patch(
    by: By,
    { seller, ...defaults }: ProfilePatch,
    expected: ExpectedVersions,
    guard?: Guard,
  ): Promise<AccountRow> {
    return this.audited.run(by, guard, async (audited) => {
      const account = await this.accounts.getForUpdate(audited.tx, by.accountId);
      assertVersion(expected, account.version);
      const changed = patchedSeller(sellerOf(account.seller), seller, account.version + 1);
      const settings = patchedDefaults(account, defaults);
      this.assertBegun(settings);
      await this.assertTaxRate(audited.tx, by.accountId, defaults.defaultTaxRateId);
      return this.save(audited, by, account, changed, settings);
    });
  }

  async logo(accountId: Uuid): Promise<Logo> {
    const sha256 = logoOf(await this.accounts.find(accountId));
    const stored = sha256 && (await this.logos.find(accountId, sha256));
    if (!stored) throw DocumentRefusal.logo_not_found.of();
    return { ...stored, sha256 };
  }

  async setLogo(
    by: By,
    upload: { bytes: Buffer; type: LogoType },
    isCurrent: IsCurrent,
    guard?: Guard,
  ): Promise<AccountRow> {
    const logo = await this.encoder.encode(upload.bytes, upload.type);
    return this.audited.run(by, guard, async (audited) => {
      const account = await this.accounts.getForUpdate(audited.tx, by.accountId);
      assertCurrent(isCurrent, logoOf(account));
      this.logos.insert(audited.tx, by.accountId, logo, audited.tx.now());
      return this.saveLogo(audited, by, account, logo.sha256);
    });
  }

  /** New documents have none; what is stored stays for the old ones. @throws `version_mismatch` */
  async removeLogo(by: By, isCurrent: IsCurrent, guard?: Guard): Promise<AccountRow> {
    return this.audited.run(by, guard, async (audited) => {
      const account = await this.accounts.getForUpdate(audited.tx, by.accountId);
      assertCurrent(isCurrent, logoOf(account));
      return logoOf(account) === null ? account : this.saveLogo(audited, by, account, null);
    });
  }

  private assertBegun(settings: Pick<AccountRow, 'booksFrom' | 'timeZone'>): void {
    if (settings.booksFrom <= this.accounts.todayOf(settings)) return;
    throw FieldRefusal.date_in_future.at(
      '/books_from',
      'books_from is in the future; send the first day of your books, today at the latest.',
    );
  }

  /** The account is locked, and an archiving takes that lock, too. */
  private async assertTaxRate(tx: Tx, accountId: Uuid, id: Uuid | null | undefined): Promise<void> {
    if (id == null) return;
    const [found] = await this.taxRates.named(tx, accountId, [id]);
    const problem = taxRateProblem(found, '/default_tax_rate_id');
    if (problem) throw invalidFields([problem]);
  }

  private saveLogo(
    audited: AuditedTx,
    by: By,
    account: AccountRow,
    logo: string | null,
  ): AccountRow {
    return this.save(audited, by, account, { ...sellerOf(account.seller), logo });
  }

  private save(
    audited: AuditedTx,
    by: By,
    account: AccountRow,
    seller: Seller,
    defaults: Partial<AccountRow> = {},
  ): AccountRow {
    const stored = { ...account, seller: sellerOf(account.seller) };
    const saved = this.accounts.save(audited, stored, { ...account, ...defaults, seller });
    this.listeners.tell(audited.tx, { by, before: stored, after: saved });
    return saved;
  }
}

function assertCurrent(isCurrent: IsCurrent, sha256: string | null): void {
  if (isCurrent(sha256)) return;
  throw CommonRefusal.version_mismatch.of(
    'The logo was changed meanwhile; read it again and decide anew.',
  );
}

function logoOf({ seller }: AccountRow): string | null {
  return sellerOf(seller).logo;
}

function patchedDefaults(account: AccountRow, patch: Defaults) {
  const { language, paymentTermsDays, documentNotes, issueDaysAhead, strict } = ACCOUNT_DEFAULTS;
  const booksFrom = patched(account.booksFrom, patch.booksFrom, oldestDay(account.createdAt));
  const isClosed = account.booksOpenFrom > account.booksFrom;
  const stayClosed = isClosed && account.booksOpenFrom > booksFrom;
  return {
    booksFrom,
    booksOpenFrom: stayClosed ? account.booksOpenFrom : booksFrom,
    issueDaysAhead: patched(account.issueDaysAhead, patch.issueDaysAhead, issueDaysAhead),
    strict: patched(account.strict, patch.strict, strict),
    defaultTaxRateId: patched(account.defaultTaxRateId, patch.defaultTaxRateId, null),
    currency: patch.currency ?? account.currency,
    baseCurrency: patch.baseCurrency ?? account.baseCurrency,
    timeZone: patch.timeZone ?? account.timeZone,
    language: patched(account.language, patch.language, language),
    paymentTermsDays: patched(account.paymentTermsDays, patch.paymentTermsDays, paymentTermsDays),
    documentNotes: patched(account.documentNotes, patch.documentNotes, documentNotes),
    documentDefaults: patchedDocumentDefaults(account, patch.documentDefaults),
  };
}

function patchedDocumentDefaults(account: AccountRow, said: Partial<DocumentDefaults>) {
  if (Object.keys(said).length === 0) return account.documentDefaults;
  return { ...defaultsOf(account), ...said };
}

function patched<Value>(kept: Value, said: Value | null | undefined, cleared: Value): Value {
  return said === undefined ? kept : (said ?? cleared);
}
