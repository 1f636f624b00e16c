import { availableParallelism } from 'node:os';
import { z } from 'zod';
import { isEmailAddress } from '../../kernel/mailbox.js';
import { withoutEndSlashes } from '../../kernel/trim-end.js';
import { backupStore, BackupStoreVariables } from './backup-store-config.js';
import { type BackupConfig, backupConfig, refusedBeside } from './backup-config.js';
import { bodyLimits, BodyLimitVariables } from './body-limits.js';
import { gatewayConfigs, type GatewayConfig, type ProviderDefaults } from './gateway-config.js';
import { databaseAddress, refusedReplica } from './database-address.js';
import { deliveryRetrySeconds } from './delivery-config.js';
import { ROLES, rolesOf, withoutJobs } from './roles.js';
import { ConfigError } from './config-error.js';
import { fileStore, FileStoreVariables } from './file-store-config.js';
import { cacheFolder, dataFolder } from './folders.js';
import { type MailConfig, mailConfig, type MailLimits, mailLimits } from './mail-config.js';
import { isPlainHttp } from '../../kernel/plain-http.js';
import { areRanges, arePorts, outgoingConfig, type OutgoingConfig } from './outgoing-config.js';
import { proofConfig } from './proof-config.js';
import { refusedInProduction } from './production.js';
import { readOnlyFlag, refusedReadingOnly, withoutWrites } from './read-only.js';
import {
  DEFAULT_METRICS_PORT,
  metricsPlace,
  type MetricsPlace,
  refusedPorts,
} from './metrics-place.js';
import type { S3Config } from './s3-config.js';
import { GeneratedSecrets } from './secrets.js';
import { secretList } from './secret-strength.js';
import { wholeVariable } from './whole-variable.js';
import { refusedTracing, type TracingConfig, tracingConfig } from './tracing-config.js';

/** Everything an operator may set, parsed once; nothing else reads the environment. */
export abstract class Config {
  abstract readonly production: boolean;
  abstract readonly host: string;
  abstract readonly port: number;
  /** Null: nobody serves metrics, or the first of several processes does. */
  abstract readonly metrics: MetricsPlace | null;
  /** Public base URL without a trailing slash; printed in links and at start-up. */
  abstract readonly baseUrl: string;
  /** Absolute path of the folder for embedded data, generated secrets and caches. */
  abstract readonly dataDir: string;
  /** Absolute path of what can be made again: the unpacked Chromium. */
  abstract readonly cacheDir: string;
  /** Null: the embedded PostgreSQL is used. */
  abstract readonly databaseUrl: string | null;
  /** The role that owns the schema and migrates; null: the one of `databaseUrl`. */
  abstract readonly databaseOwnerUrl: string | null;
  /** A role that `migrate` lets read for reports; the service does not use it. */
  abstract readonly databaseReaderUrl: string | null;
  /** A standby that answers lists and reports where it has all that there is. */
  abstract readonly databaseReplicaUrl: string | null;
  abstract readonly databasePoolSize: number;
  /** How many processes share the port. */
  abstract readonly processes: number;
  abstract readonly backups: BackupConfig;
  /** Bytes of PDFs and attachments go there; null: into the database. */
  abstract readonly files: S3Config | null;
  /** It writes nothing, and its database may be one that follows another (decision 296). */
  abstract readonly readOnly: boolean;
  /** False: it does jobs, and its port is for probes. */
  abstract readonly answersCalls: boolean;
  /** False in all but one of several processes. */
  abstract readonly doesJobs: boolean;
  /** Whether this process sends events to webhook endpoints, if it does jobs. */
  abstract readonly sendsEvents: boolean;
  abstract readonly lockTimeoutMs: number;
  abstract readonly statementTimeoutMs: number;
  abstract readonly demo: boolean;
  /**
   * Newest first: the first signs and seals, the others still verify and open. For `Keyring` alone,
   * which derives what the purposes need.
   */
  abstract readonly secrets: readonly string[];
  abstract readonly accessTokenSeconds: number;
  abstract readonly refreshTokenDays: number;
  abstract readonly refreshGraceSeconds: number;
  /** From an exchange of credentials to the last refresh that goes back to it. */
  abstract readonly refreshFamilyDays: number;
  abstract readonly portalTokenDays: number;
  abstract readonly paymentLinkDays: number;
  abstract readonly idempotencyHours: number;
  /** How long calls of providers are kept. */
  abstract readonly gatewayEventDays: number;
  /** Waits after each try of a delivery that failed; then there is none any more. */
  abstract readonly deliveryRetrySeconds: readonly number[];
  /** Until a provider is first asked what became of a refund; then twice as long each time. */
  abstract readonly refundLookUpSeconds: number;
  abstract readonly checkoutLookUpSeconds: number;
  /** Seconds between two rounds of sealing the books; 0: other processes do it. */
  abstract readonly sealSeconds: number;
  /** Seconds between two looks for due dates and periods of schedules that came; 0: other processes do it. */
  abstract readonly dueDateSeconds: number;
  /** Absolute path of the file that gets a line for each seal; null: none. */
  abstract readonly sealHeadsFile: string | null;
  /** Hours between two checks of all books; 0: only those that are asked for. */
  abstract readonly integrityHours: number;
  /** Within so many checks all that is old is looked at again; 1: in each. */
  abstract readonly integrityShares: number;
  /** Requests per second and client; null when switched off. */
  abstract readonly rateLimit: number | null;
  abstract readonly rateBurst: number;
  /** Failed calls per second and address, unless the rate limit is off. */
  abstract readonly failureLimit: number;
  abstract readonly failureBurst: number;
  abstract readonly bodyLimitBytes: number;
  abstract readonly documentBodyLimitBytes: number;
  abstract readonly bankFileLimitBytes: number;
  abstract readonly webhookBodyLimitBytes: number;
  /** Of all requests that this process reads or answers at the same time. */
  abstract readonly bodiesInFlightBytes: number;
  abstract readonly chromiumPath: string | null;
  /** Null: no message leaves this installation. */
  abstract readonly mail: MailConfig | null;
  /** Seconds between two rounds of messages; 0: other processes send them. */
  abstract readonly mailSeconds: number;
  abstract readonly mailLimits: MailLimits;
  /** Base of the REST API of VIES; null: no VAT number is asked for. */
  abstract readonly viesUrl: string | null;
  /** How long it goes on listening after SIGTERM, so that balancers see that it stops. */
  abstract readonly drainDelaySeconds: number;
  abstract readonly drainSeconds: number;
  abstract readonly trustProxy: boolean;
  abstract readonly logLevel: string;
  /** Null: no trace is made. */
  abstract readonly tracing: TracingConfig | null;
  abstract readonly gateways: readonly GatewayConfig[];
  /** Accounts may name hosts of providers, which the service then calls: for tests only. */
  abstract readonly takesGatewayHosts: boolean;
  /** Calls to addresses that tenants gave may go here. */
  abstract readonly outgoing: OutgoingConfig;
}

const Environment = z.object({
  // A word that is nearly `production` would start a service without its guards.
  NODE_ENV: z.enum(['production', 'development', 'test']).default('development'),
  HOST: z.string().min(1).optional(),
  PORT: wholeVariable(3000, 0, 65_535),
  QUITTANCE_METRICS_HOST: z.string().min(1).default('127.0.0.1'),
  QUITTANCE_METRICS_PORT: z
    .union([z.literal('off'), wholeVariable(DEFAULT_METRICS_PORT, 0, 65_535)])
    .default(DEFAULT_METRICS_PORT),
  BASE_URL: z.url({ protocol: /^https?$/ }).optional(),
  DATABASE_URL: databaseAddress.optional(),
  DATABASE_OWNER_URL: databaseAddress.optional(),
  DATABASE_READER_URL: databaseAddress.optional(),
  DATABASE_REPLICA_URL: databaseAddress.optional(),
  DATABASE_POOL_SIZE: wholeVariable(20, 2, 500),
  QUITTANCE_BACKUP_DIR: z.string().min(1).optional(),
  QUITTANCE_BACKUP_HOURS: wholeVariable(0, 0, 720).unwrap().optional(),
  QUITTANCE_BACKUPS_KEPT: wholeVariable(7, 1, 1000),
  ...BackupStoreVariables,
  ...FileStoreVariables,
  QUITTANCE_PROCESSES: z
    .union([z.literal('auto').transform(availableParallelism), wholeVariable(1, 1, 64)])
    .default(1),
  QUITTANCE_ROLES: z.enum(ROLES).default('api,worker'),
  QUITTANCE_READ_ONLY: readOnlyFlag,
  CHROMIUM_PATH: z.string().min(1).optional(),
  QUITTANCE_VIES_URL: z
    .url({ protocol: /^https?$/ })
    .refine((url) => !isPlainHttp(url), 'must begin with https, unless it is of this machine')
    .transform(withoutEndSlashes)
    .optional(),
  QUITTANCE_SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  QUITTANCE_MAIL_FROM: z
    .string()
    .refine(isEmailAddress, 'must be one address, such as billing@example.com')
    .optional(),
  QUITTANCE_DKIM_SELECTOR: z.string().min(1).optional(),
  QUITTANCE_DKIM_KEY_FILE: z.string().min(1).optional(),
  QUITTANCE_MAIL_SECONDS: wholeVariable(2, 0, 3600),
  QUITTANCE_MAIL_DOCUMENT_LIMIT: wholeVariable(20, 1, 1_000_000),
  QUITTANCE_MAIL_RECIPIENT_LIMIT: wholeVariable(50, 10, 1_000_000),
  QUITTANCE_MAIL_ACCOUNT_LIMIT: wholeVariable(5000, 10, 10_000_000),
  QUITTANCE_CACHE_DIR: z.string().min(1).optional(),
  QUITTANCE_DEMO: z.enum(['0', '1']).optional(),
  QUITTANCE_SECRET: secretList.optional(),
  QUITTANCE_ACCESS_TOKEN_SECONDS: wholeVariable(1800, 60, 86_400),
  QUITTANCE_REFRESH_TOKEN_DAYS: wholeVariable(30, 1, 365),
  QUITTANCE_REFRESH_GRACE_SECONDS: wholeVariable(10, 0, 60),
  QUITTANCE_REFRESH_FAMILY_DAYS: wholeVariable(90, 1, 3650),
  QUITTANCE_PORTAL_TOKEN_DAYS: wholeVariable(90, 1, 3650),
  QUITTANCE_PAYMENT_LINK_DAYS: wholeVariable(30, 1, 365),
  QUITTANCE_IDEMPOTENCY_HOURS: wholeVariable(72, 1, 720),
  QUITTANCE_GATEWAY_EVENT_DAYS: wholeVariable(90, 1, 3650),
  QUITTANCE_DELIVERY_RETRY_SECONDS: deliveryRetrySeconds,
  QUITTANCE_REFUND_LOOK_UP_SECONDS: wholeVariable(30, 1, 3600),
  QUITTANCE_CHECKOUT_LOOK_UP_SECONDS: wholeVariable(120, 1, 3600),
  QUITTANCE_SEAL_SECONDS: wholeVariable(5, 0, 3600),
  QUITTANCE_DUE_DATE_SECONDS: wholeVariable(30, 0, 3600),
  QUITTANCE_SEAL_HEADS_FILE: z.string().min(1).optional(),
  QUITTANCE_INTEGRITY_HOURS: wholeVariable(24, 0, 720),
  QUITTANCE_INTEGRITY_SHARES: wholeVariable(30, 1, 366),
  QUITTANCE_RATE_LIMIT: z.union([z.literal('off'), wholeVariable(100, 1, 1_000_000)]).default(100),
  QUITTANCE_RATE_BURST: wholeVariable(200, 1, 1_000_000),
  QUITTANCE_FAILURE_LIMIT: wholeVariable(1, 1, 1_000_000),
  QUITTANCE_FAILURE_BURST: wholeVariable(20, 1, 1_000_000),
  ...BodyLimitVariables,
  QUITTANCE_LOCK_TIMEOUT_MS: wholeVariable(5000, 100, 60_000),
  QUITTANCE_STATEMENT_TIMEOUT_MS: wholeVariable(15_000, 1000, 300_000),
  QUITTANCE_DRAIN_DELAY_SECONDS: wholeVariable(0, 0, 300).unwrap().optional(),
  QUITTANCE_DRAIN_SECONDS: wholeVariable(20, 1, 300),
  QUITTANCE_GATEWAY_HOSTS: z.enum(['fixed', 'any']).default('fixed'),
  QUITTANCE_OUTGOING_RANGES: z
    .string()
    .refine(areRanges, 'must be networks with commas, such as 10.20.0.0/16,fd12:3456::/32')
    .default(''),
  QUITTANCE_OUTGOING_PORTS: z
    .string()
    .refine(arePorts, 'must be ports or ranges of them with commas, such as 443,8000-8999')
    .default('443'),
  QUITTANCE_TRUST_PROXY: z.enum(['0', '1']).default('0'),
  QUITTANCE_LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
    .default('info'),
});

/** The providers of the gateways, as far as the configuration has to know them. */
interface ConfiguredProviders {
  all: readonly ProviderDefaults[];
  refusals(gateways: readonly GatewayConfig[]): string[];
}

/** All that is wrong, a line each. */
function refusalsOf(
  given: Readonly<Record<string, string | undefined>>,
  parsed: ReturnType<typeof Environment.safeParse>,
  providers: ConfiguredProviders,
): string[] {
  const production = given['NODE_ENV'] === 'production';
  const issues = parsed.error?.issues ?? [];
  return [
    ...issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`),
    ...refusedPorts(parsed.data?.PORT, parsed.data?.QUITTANCE_METRICS_PORT),
    ...(production ? refusedInProduction(given) : []),
    ...[refusedBeside, refusedReadingOnly, refusedReplica, refusedTracing].flatMap((refused) =>
      refused(given),
    ),
    ...(production ? providers.refusals(gatewayConfigs(given, providers.all, null)) : []),
  ];
}

/**
 * Parses the environment. Outside production, secrets that are not given are generated once and
 * kept in the data folder.
 * @param providers those of the gateways. They refuse settings that keep gateways from opening in
 *   production, so that everything that has to be set right is told at once.
 * @throws ConfigError
 */
export async function loadConfig(
  variables: NodeJS.ProcessEnv,
  cwd: string,
  providers: ConfiguredProviders = { all: [], refusals: () => [] },
): Promise<Config> {
  // An empty variable is one that was not set: compose files write `KEY=` for it.
  const given = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''));
  const production = given['NODE_ENV'] === 'production';
  const parsed = Environment.safeParse(given);
  const refusals = refusalsOf(given, parsed, providers);
  if (!parsed.success || refusals.length > 0) throw new ConfigError(refusals.join('\n'));
  const env = parsed.data;

  const dataDir = dataFolder(given, cwd);
  const generated = production ? null : await GeneratedSecrets.of(dataDir);
  const made = generated && { secret: generated.named.bind(generated), folder: dataDir };
  const gateways = gatewayConfigs(given, providers.all, made);
  await generated?.keep();
  const { host, shownHost } = hostsOf(env.HOST);
  const config: Config = {
    production,
    host,
    port: env.PORT,
    metrics: metricsPlace(env.QUITTANCE_METRICS_HOST, env.QUITTANCE_METRICS_PORT),
    baseUrl: withoutEndSlashes(env.BASE_URL ?? `http://${shownHost}:${env.PORT}`),
    dataDir,
    cacheDir: cacheFolder(given, cwd),
    databaseUrl: env.DATABASE_URL ?? null,
    databaseOwnerUrl: env.DATABASE_OWNER_URL ?? null,
    databaseReaderUrl: env.DATABASE_READER_URL ?? null,
    databaseReplicaUrl: env.DATABASE_REPLICA_URL ?? null,
    databasePoolSize: env.DATABASE_POOL_SIZE,
    backups: backupConfig(env, { production, dataDir, cwd, store: await backupStore(env) }),
    files: fileStore(env),
    processes: env.QUITTANCE_PROCESSES,
    readOnly: env.QUITTANCE_READ_ONLY,
    ...rolesOf(env.QUITTANCE_ROLES),
    lockTimeoutMs: env.QUITTANCE_LOCK_TIMEOUT_MS,
    statementTimeoutMs: env.QUITTANCE_STATEMENT_TIMEOUT_MS,
    demo: env.QUITTANCE_DEMO ? env.QUITTANCE_DEMO === '1' : !env.DATABASE_URL && !production,
    secrets: env.QUITTANCE_SECRET ?? [generated?.secret ?? ''],
    accessTokenSeconds: env.QUITTANCE_ACCESS_TOKEN_SECONDS,
    refreshTokenDays: env.QUITTANCE_REFRESH_TOKEN_DAYS,
    refreshGraceSeconds: env.QUITTANCE_REFRESH_GRACE_SECONDS,
    refreshFamilyDays: env.QUITTANCE_REFRESH_FAMILY_DAYS,
    portalTokenDays: env.QUITTANCE_PORTAL_TOKEN_DAYS,
    paymentLinkDays: env.QUITTANCE_PAYMENT_LINK_DAYS,
    idempotencyHours: env.QUITTANCE_IDEMPOTENCY_HOURS,
    gatewayEventDays: env.QUITTANCE_GATEWAY_EVENT_DAYS,
    deliveryRetrySeconds: env.QUITTANCE_DELIVERY_RETRY_SECONDS,
    refundLookUpSeconds: env.QUITTANCE_REFUND_LOOK_UP_SECONDS,
    checkoutLookUpSeconds: env.QUITTANCE_CHECKOUT_LOOK_UP_SECONDS,
    dueDateSeconds: env.QUITTANCE_DUE_DATE_SECONDS,
    ...proofConfig(env, cwd),
    rateLimit: env.QUITTANCE_RATE_LIMIT === 'off' ? null : env.QUITTANCE_RATE_LIMIT,
    rateBurst: env.QUITTANCE_RATE_BURST,
    failureLimit: env.QUITTANCE_FAILURE_LIMIT,
    failureBurst: env.QUITTANCE_FAILURE_BURST,
    ...bodyLimits(env),
    chromiumPath: env.CHROMIUM_PATH ?? null,
    mail: mailConfig(env),
    mailSeconds: env.QUITTANCE_MAIL_SECONDS,
    mailLimits: mailLimits(env),
    viesUrl: env.QUITTANCE_VIES_URL ?? null,
    drainDelaySeconds: env.QUITTANCE_DRAIN_DELAY_SECONDS ?? (production ? 5 : 0),
    drainSeconds: env.QUITTANCE_DRAIN_SECONDS,
    trustProxy: env.QUITTANCE_TRUST_PROXY === '1',
    logLevel: env.QUITTANCE_LOG_LEVEL,
    tracing: tracingConfig(given),
    gateways,
    takesGatewayHosts: env.QUITTANCE_GATEWAY_HOSTS === 'any',
    outgoing: outgoingConfig(env),
  };
  return withoutWrites(config.doesJobs ? config : withoutJobs(config));
}

/** Of one that stands for all addresses of the machine, links have one of them. */
function hostsOf(host = '127.0.0.1') {
  return { host, shownHost: ['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host };
}
