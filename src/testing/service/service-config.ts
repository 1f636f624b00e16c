import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../../platform/config/config.js';

/** Not production, no rate limit, no log, no gateway, and nothing that begins by itself. */
export function configForTests(port: number, dataDir: string): Config {
  return {
    production: false,
    host: '127.0.0.1',
    port,
    metrics: null,
    baseUrl: `http://127.0.0.1:${port}`,
    dataDir,
    // Kept for the next run: an unpacked Chromium.
    cacheDir: join(tmpdir(), 'quittance-test-cache'),
    databaseUrl: null,
    databaseOwnerUrl: null,
    databaseReaderUrl: null,
    databasePoolSize: 10,
    processes: 1,
    backups: { folder: join(tmpdir(), 'quittance-test-backups'), hours: 0, kept: 7 },
    answersCalls: true,
    doesJobs: true,
    sendsEvents: false,
    lockTimeoutMs: 20_000,
    statementTimeoutMs: 60_000,
    demo: false,
    secrets: ['a test secret of more than thirty-two characters'],
    accessTokenSeconds: 1800,
    refreshTokenDays: 30,
    refreshGraceSeconds: 10,
    refreshFamilyDays: 90,
    portalTokenDays: 90,
    paymentLinkDays: 30,
    idempotencyHours: 72,
    gatewayEventDays: 90,
    deliveryRetrySeconds: [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400],
    // Tests ask themselves, when they mean to.
    checkoutLookUpSeconds: 3600,
    refundLookUpSeconds: 3600,
    sealSeconds: 0,
    dueDateSeconds: 0,
    sealHeadsFile: null,
    integrityHours: 0,
    // Nobody listens there: tests that send have a server of their own, and send when they mean to.
    mail: { url: 'smtp://127.0.0.1:9', from: 'billing@quittance.example', dkim: null },
    mailSeconds: 0,
    mailLimits: { document: 20, recipient: 50, account: 5000 },
    viesUrl: null,
    rateLimit: null,
    rateBurst: 200,
    failureLimit: 1,
    failureBurst: 20,
    bodyLimitBytes: 102_400,
    documentBodyLimitBytes: 8_388_608,
    bankFileLimitBytes: 2_097_152,
    webhookBodyLimitBytes: 262_144,
    bodiesInFlightBytes: 67_108_864,
    chromiumPath: null,
    drainDelaySeconds: 0,
    drainSeconds: 1,
    trustProxy: false,
    takesGatewayHosts: true,
    // The stand-ins of tests are on this machine, at ports that were free.
    outgoing: { ranges: ['127.0.0.0/8', '::1/128'], ports: [[1, 65_535]] },
    logLevel: 'silent',
    gateways: [],
  };
}
