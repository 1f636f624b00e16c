import { join } from 'node:path';
import { OutgoingClient } from '../../platform/http/outgoing/outgoing-client.js';
import { findChromium, launchChromium } from '../../platform/chromium/chromium.js';
import { chromiumAgeDays } from './chromium-age.js';
import type { Config } from '../../platform/config/config.js';
import { newestBackup } from '../../platform/database/backup/scheduled-backups.js';
import { BackupStore } from '../../platform/database/backup/store/backup-store.js';
import { hasPendingMigrations } from '../../platform/database/migrate.js';
import { type DatabaseUrls, examineRole } from '../../platform/database/roles.js';
import type { Installation } from '../../extensions/installation.js';
import { configuredGateways } from '../../gateways/index.js';
import { examineMail } from '../../mail/index.js';
import { fileStoreOf } from './file-store.js';
import { examineGateways } from './gateway-doctor.js';
import { readOnce } from './server.js';
import { gatewayAccountWarnings } from '../../payments/index.js';
import { AddressList } from '../../kernel/address-list.js';
import { SystemClock } from '../../kernel/clock.js';
import { REFUSALS } from '../../refusals.js';
import { type Finding, unasked } from '../../platform/finding.js';
import { TooLate, within } from '../../platform/within.js';

/** Three releases of mended holes: it prints texts of strangers. */
const OLD_AFTER_DAYS = 90;
const LOOPBACK = ['127.0.0.1', '::1'];
/** Of each look: all go on at once. */
const LOOK_MS = 18_000;
const SAMPLE = 'Žluťoučký € naïve Straße';

/** Looks at everything the service needs, and says what to do about what is missing. */
export async function examine(
  config: Config,
  urls: DatabaseUrls,
  installation: Installation,
): Promise<Finding[]> {
  const { providers } = installation;
  const cacheDir = join(config.cacheDir, 'chromium');
  const chromium = { executablePath: config.chromiumPath, cacheDir };
  // Two that unpack it at once would be in each other's way.
  const unpacked = findChromium(chromium);
  unpacked.catch(() => undefined);
  return Promise.all([
    check('database', async () => {
      const pending = await hasPendingMigrations(urls.app);
      if (pending) throw new Error('it answers, but migrations are pending: run migrate');
      if (config.readOnly)
        return 'answers, migrated; this service only reads (QUITTANCE_READ_ONLY)';
      return config.databaseUrl ? 'answers, migrated' : 'embedded, answers, migrated';
    }),
    check('backups', async () => backupsOf(config)),
    check('backup_store', async () => storeOf(config)),
    check('file_store', async () => fileStoreOf(config, urls)),
    check('roles', async () => {
      if (config.readOnly) return 'nothing is written: the service that writes is asked';
      const found = await examineRole(urls.app);
      if (found.length > 0) return { warning: `${found.join('; ')}; see docs/operations.md#roles` };
      return 'the service may do what it has to, and no more';
    }),
    check('chromium', async () => {
      const { path, source, version } = await unpacked;
      const found = `${version} (${source}) at ${path}`;
      const days = chromiumAgeDays(version, new SystemClock().now()) ?? 0;
      if (days <= OLD_AFTER_DAYS) return found;
      const remedy = 'install a newer one, name it in CHROMIUM_PATH, or update Quittance';
      return { warning: `${found} is some ${days} days old; ${remedy}` };
    }),
    check('fonts', async () => {
      await unpacked;
      return fontsPrint(chromium);
    }),
    check('images', async () => {
      const { default: sharp } = await import('sharp');
      return `libvips ${sharp.versions.vips}`;
    }),
    check('gateways', async () => {
      const means = { clock: new SystemClock(), outgoing: new OutgoingClient(config.outgoing) };
      const gateways = configuredGateways(config, means, providers.all);
      const warnings = await gatewayAccountWarnings(gateways.values(), (text, values) =>
        readOnce(urls.app, text, values),
      ).catch(() => []);
      if (warnings.length > 0) return { warning: warnings.join('; ') };
      const names = [...gateways.values()].map(({ name, provider }) => `${name} (${provider})`);
      return names.join(', ') || 'none configured';
    }),
    check('gateway_tests', async () =>
      examineGateways(config, providers, (text, values) => readOnce(urls.app, text, values)),
    ),
    check('mail', async () =>
      config.mail ? examineMail(config.mail) : 'none configured: QUITTANCE_SMTP_URL',
    ),
    check('outgoing', async () => outgoingOf(config)),
    check('extensions', async () => extensionsOf(installation)),
    check('vat_register', async () =>
      config.viesUrl === null ? 'none configured: QUITTANCE_VIES_URL' : 'VIES, if somebody asks',
    ),
  ]);
}

/** How far calls reach whose address an account gives. */
function outgoingOf({ production, outgoing: { ranges, ports } }: Config) {
  const open = ports.map(([first, last]) => (first === last ? first : `${first}-${last}`));
  const reach = `accounts may name ports ${open.join(', ')} of public hosts`;
  if (ranges.length === 0) return reach;
  const text = `${reach}, and of ${ranges.join(', ')}`;
  const isOwn = LOOPBACK.some((address) => new AddressList(ranges).has(address));
  return production && isOwn ? { warning: `${text}, which is this machine` } : text;
}

/** @throws Error where one could not be read, or does not fit */
function extensionsOf(installation: Installation): string {
  const { extensions, fault } = installation;
  if (fault) throw fault;
  installation.assertFits(REFUSALS);
  return extensions.map(({ name }) => name).join(', ') || 'none configured: QUITTANCE_EXTENSIONS';
}

/** Those of the embedded database. */
async function backupsOf({ databaseUrl, dataDir, backups }: Config) {
  const { folder, hours } = backups;
  if (databaseUrl !== null) return 'of a server of your own: by its own tools';
  if (hours === 0) return 'none by themselves: QUITTANCE_BACKUP_HOURS';
  const newest = await newestBackup(folder);
  if (!newest) return { warning: `none yet in ${folder}` };
  const made = `the newest in ${folder} is of ${newest.toISOString()}`;
  const ageHours = (new SystemClock().now().getTime() - newest.getTime()) / 3_600_000;
  if (ageHours > 2 * hours)
    return { warning: `${made}, and one should be made every ${hours} hours` };
  return folder.startsWith(`${dataDir}/`)
    ? { warning: `${made}, on the disk of the data: QUITTANCE_BACKUP_DIR names another place` }
    : made;
}

/** Also of a server of the operator, whose dumps are sent there. */
async function storeOf({ backups: { store: config, hours } }: Config) {
  if (!config) return 'none: QUITTANCE_BACKUP_TO';
  if (config.recipients.length === 0)
    throw new Error('QUITTANCE_BACKUP_AGE_RECIPIENTS is missing: nothing leaves unencrypted');
  const [newest, ...others] = await (await BackupStore.open(config)).list();
  const place = `s3://${config.bucket}/${config.prefix}`;
  if (!newest) return { warning: `none yet in ${place}` };
  const made = `${others.length + 1} in ${place}, the newest of ${newest.at.toISOString()}`;
  const ageHours = (new SystemClock().now().getTime() - newest.at.getTime()) / 3_600_000;
  return ageHours > 2 * (hours || 24) ? { warning: `${made}, which is too old` } : made;
}

async function check(
  name: string,
  work: () => Promise<string | { warning: string }>,
): Promise<Finding> {
  try {
    const said = await within(LOOK_MS, 'the look', work(), TooLate);
    if (typeof said === 'string') return { check: name, ok: true, detail: said };
    return { check: name, ok: true, warning: true, detail: said.warning };
  } catch (error) {
    if (error instanceof TooLate)
      return unasked(name, error.message, 'see what hangs, and ask again');
    return { check: name, ok: false, detail: error instanceof Error ? error.message : `${error}` };
  }
}

/** Text of the bundled font has a width; letters that could not be drawn would all have one. */
async function fontsPrint(chromium: Parameters<typeof launchChromium>[0]): Promise<string> {
  const { browser } = await launchChromium(chromium);
  try {
    const page = await browser.newPage();
    const widths = (await page.evaluate((text: string) => {
      const context = (
        globalThis as unknown as { document: { createElement(tag: string): CanvasLike } }
      ).document
        .createElement('canvas')
        .getContext('2d');
      return [...text].map((letter) => context.measureText(letter).width);
    }, SAMPLE)) as number[];
    if (widths.every((width) => width === widths[0])) {
      throw new Error(
        'Chromium finds no font; install one (fonts-dejavu-core) or unset FONTCONFIG_FILE',
      );
    }
    return 'Latin text has shapes';
  } finally {
    await browser.close();
  }
}

interface CanvasLike {
  getContext(kind: string): { measureText(text: string): { width: number } };
}
