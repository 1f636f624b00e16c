import type { DataSourceOptions } from 'typeorm';
import { Accounts1763650000000 } from '../../../migrations/1763650000000-accounts.js';
import { Documents1763650100000 } from '../../../migrations/1763650100000-documents.js';
import { Payments1763650200000 } from '../../../migrations/1763650200000-payments.js';
import { Numbering1763740000000 } from '../../../migrations/1763740000000-numbering.js';
import { Customers1763740100000 } from '../../../migrations/1763740100000-customers.js';
import { Sellers1763740200000 } from '../../../migrations/1763740200000-sellers.js';
import { DocumentsInFull1763741000000 } from '../../../migrations/1763741000000-documents-in-full.js';
import { DocumentLists1763742000000 } from '../../../migrations/1763742000000-document-lists.js';
import { Books1763800000000 } from '../../../migrations/1763800000000-books.js';
import { OpeningEntries1763800100000 } from '../../../migrations/1763800100000-opening-entries.js';
import { BankStatements1763810000000 } from '../../../migrations/1763810000000-bank-statements.js';
import { Seals1763820000000 } from '../../../migrations/1763820000000-seals.js';
import { RefundRequests1763830000000 } from '../../../migrations/1763830000000-refund-requests.js';
import { DocumentChecks1763840000000 } from '../../../migrations/1763840000000-document-checks.js';
import { LeanGuards1763850000000 } from '../../../migrations/1763850000000-lean-guards.js';
import { TokenFamilies1763910000000 } from '../../../migrations/1763910000000-token-families.js';
import { Clients1763910100000 } from '../../../migrations/1763910100000-clients.js';
import { UnmatchedReasons1763920000000 } from '../../../migrations/1763920000000-unmatched-reasons.js';
import { Audit1763930000000 } from '../../../migrations/1763930000000-audit.js';
import { SettingsScope1763930100000 } from '../../../migrations/1763930100000-settings-scope.js';
import { SealVersions1763940000000 } from '../../../migrations/1763940000000-seal-versions.js';
import { MoreSeals1763940100000 } from '../../../migrations/1763940100000-more-seals.js';
import { PrintedGuards1763951000000 } from '../../../migrations/1763951000000-printed-guards.js';
import { IdentityRetention1763952000000 } from '../../../migrations/1763952000000-identity-retention.js';

/** No answer for that long after `statement_timeout`: there is nobody who could give one. */
const SILENCE_MS = 3000;
const CONNECT_TIMEOUT_MS = 5000;
/** Also where nothing is asked for long: 10 probes, a second apart, after this. */
const KEEPALIVE_AFTER_MS = 10_000;
const LONGEST_MIGRATION_MS = 24 * 3_600_000;

export interface DatabaseOptions {
  url: string;
  poolSize: number;
  lockTimeoutMs: number;
  /** 0: as long as a migration may take. */
  statementTimeoutMs: number;
}

/** Migrations in order; each runs in a transaction of its own. */
const migrations = [
  Accounts1763650000000,
  Documents1763650100000,
  Payments1763650200000,
  Numbering1763740000000,
  Customers1763740100000,
  Sellers1763740200000,
  DocumentsInFull1763741000000,
  DocumentLists1763742000000,
  Books1763800000000,
  OpeningEntries1763800100000,
  BankStatements1763810000000,
  Seals1763820000000,
  RefundRequests1763830000000,
  DocumentChecks1763840000000,
  LeanGuards1763850000000,
  TokenFamilies1763910000000,
  Clients1763910100000,
  UnmatchedReasons1763920000000,
  Audit1763930000000,
  SettingsScope1763930100000,
  SealVersions1763940000000,
  MoreSeals1763940100000,
  PrintedGuards1763951000000,
  IdentityRetention1763952000000,
];

export function dataSourceOptions(options: DatabaseOptions) {
  return {
    type: 'postgres',
    url: options.url,
    applicationName: 'quittance',
    migrations,
    migrationsTableName: 'migrations',
    migrationsTransactionMode: 'each',
    synchronize: false,
    installExtensions: false,
    poolSize: options.poolSize,
    extra: {
      // Statements leave without waiting for the answer to the one before: see UnitOfWork.
      pipeline: true,
      // Of making a connection; Database has the queue for a free one.
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEPALIVE_AFTER_MS,
      lock_timeout: options.lockTimeoutMs,
      statement_timeout: options.statementTimeoutMs,
      // Ours, for a server that is out of reach. In a pipeline it destroys the socket: an answer that
      // comes later is nobody's.
      query_timeout: (options.statementTimeoutMs || LONGEST_MIGRATION_MS) + SILENCE_MS,
      idle_in_transaction_session_timeout: 30_000,
    },
  } satisfies DataSourceOptions;
}
