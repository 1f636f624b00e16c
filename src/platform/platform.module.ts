import { AddedWords } from './http/openapi/added-words.js';
import { type DynamicModule, Global, Module } from '@nestjs/common';
import { APP_FILTER, APP_PIPE } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Clock } from '../kernel/clock.js';
import { IdGenerator } from '../kernel/ids.js';
import { Config } from './config/config.js';
import { dataSourceOptions, readingPool } from './database/data-source.js';
import { Database } from './database/database.js';
import { DatabaseProbe } from './database/database-probe.js';
import { FileStore } from './file-store/file-store.js';
import { HeldWork } from './held-work.js';
import { Replica } from './database/servers/replica.js';
import { Retention } from './database/retention.js';
import { Succession } from './database/servers/succession.js';
import { Snapshots } from './database/snapshots.js';
import { Transactions } from './database/transactions.js';
import { UnitOfWork } from './database/unit-of-work.js';
import { BodiesInFlight } from './http/body/bodies-in-flight.js';
import { ExtensionScopes } from './http/access.js';
import { DemoToken } from './http/docs/demo-token.js';
import { Downloads } from './http/downloads.js';
import { OutgoingClient } from './http/outgoing/outgoing-client.js';
import { ProblemFilter } from './http/problem.filter.js';
import { RefusalPages } from './http/refusal-pages.js';
import { RateLimits } from './http/limits/rate-limits.js';
import { RequestValidation } from './http/validation/validation.js';
import { Idempotency } from './idempotency/idempotency.js';
import { Jobs } from './jobs.js';
import { ClockWatch } from './observability/clock-watch.js';
import { HealthController } from './observability/health.controller.js';
import { Figures } from './observability/figures.js';
import { Log } from './observability/log.js';
import { Metrics } from './observability/metrics.js';
import { PlatformFigures } from './observability/platform-figures.js';
import { Readiness } from './observability/readiness.js';
import { ServiceStatus } from './observability/service-status.js';
import { portOf, Ports } from './ports.js';
import { Resealing } from './resealing.js';
import { RefusalCatalogue } from './refusal-catalogue.js';

/** The means that the process gets from outside; tests pass their own clock and ids. */
export interface PlatformOptions {
  config: Config;
  log: Log;
  clock: Clock;
  ids: IdGenerator;
  /** The database to use, given or embedded. */
  databaseUrl: string;
}

const GIVEN = Symbol('clock and ids');
type Given = Pick<PlatformOptions, 'clock' | 'ids'>;

const MEANS = [
  portOf(Clock, { inject: [GIVEN], useFactory: ({ clock }: Given) => clock }),
  portOf(IdGenerator, { inject: [GIVEN], useFactory: ({ ids }: Given) => ids }),
  portOf(RateLimits, RateLimits),
];

/** The parts of an installation that every module may meet. */
interface Installed {
  refusals: RefusalCatalogue;
  ports: Ports;
  scopes: ExtensionScopes;
  words: AddedWords;
}

/** For all modules. */
const SERVICES = [
  Database,
  FileStore,
  HeldWork,
  Resealing,
  Retention,
  Snapshots,
  Succession,
  Transactions,
  UnitOfWork,
  BodiesInFlight,
  DemoToken,
  Downloads,
  Idempotency,
  Jobs,
  ClockWatch,
  Metrics,
  Figures,
  ServiceStatus,
  ProblemFilter,
  RefusalPages,
  Readiness,
];

/** Nest and TypeORM plumbing that every module stands on. */
@Global()
@Module({})
export class PlatformModule {
  static with(
    { config, log, clock, ids, databaseUrl }: PlatformOptions,
    { refusals, ports, scopes, words }: Installed,
  ): DynamicModule {
    return {
      module: PlatformModule,
      imports: [
        TypeOrmModule.forRoot({
          ...dataSourceOptions({ ...optionsOf(config, databaseUrl), readOnly: config.readOnly }),
          autoLoadEntities: true,
          retryAttempts: 3,
          retryDelay: 1000,
        }),
      ],
      controllers: [HealthController],
      providers: [
        { provide: Config, useValue: config },
        { provide: Log, useValue: log },
        { provide: Ports, useValue: ports },
        { provide: ExtensionScopes, useValue: scopes },
        { provide: AddedWords, useValue: words },
        { provide: GIVEN, useValue: { clock, ids } },
        ...MEANS,
        { provide: OutgoingClient, useFactory: () => new OutgoingClient(config.outgoing) },
        { provide: RefusalCatalogue, useValue: refusals },
        { provide: APP_FILTER, useExisting: ProblemFilter },
        { provide: APP_PIPE, useClass: RequestValidation },
        {
          provide: DatabaseProbe,
          useFactory: () => new DatabaseProbe(databaseUrl, config.readOnly),
        },
        { provide: Replica, inject: [Log, Metrics], useFactory: replicaOf(config) },
        ...SERVICES,
        PlatformFigures,
      ],
      exports: [
        Config,
        Log,
        Ports,
        ExtensionScopes,
        Clock,
        IdGenerator,
        RateLimits,
        OutgoingClient,
        RefusalCatalogue,
        ...SERVICES,
      ],
    };
  }
}

function optionsOf(config: Config, url: string) {
  const { databasePoolSize: poolSize, lockTimeoutMs, statementTimeoutMs } = config;
  return { url, poolSize, lockTimeoutMs, statementTimeoutMs };
}

/** Null: lists and reports are read where all else is. */
const replicaOf = (config: Config) => (log: Log, metrics: Metrics) =>
  config.databaseReplicaUrl === null
    ? null
    : new Replica(readingPool(optionsOf(config, config.databaseReplicaUrl)), log, metrics);
