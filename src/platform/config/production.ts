import { isPlainHttp } from '../../kernel/plain-http.js';
import { opensMetadata } from './outgoing-config.js';
import { weaknessOf } from './secret-strength.js';

const REQUIRED = ['QUITTANCE_SECRET', 'BASE_URL'];
/** One secret, or several separated by commas while they are rotated. */
const SECRETS = /^(QUITTANCE_SECRET|GATEWAY_\w+_(WEBHOOK_SECRET|CLIENT_SECRET|API_KEY))$/;
/** With a password in it. */
const DATABASE = /^DATABASE_(\w+_)?URL$/;
/** Marks of a value that was copied from an example. */
const EXAMPLE_MARKS = /change-?me|example|whsec_test_secret|demo-only/i;

/**
 * The reasons not to start in production: a line each, that names the variable and not its value.
 */
export function refusedInProduction(given: Record<string, string | undefined>): string[] {
  const missing = REQUIRED.filter((name) => !given[name]).map(
    (name) => `${name}: must be set when NODE_ENV=production.`,
  );
  // A folder of the place where it happens to start is no place for books.
  const database =
    given['DATABASE_URL'] || given['QUITTANCE_DATA_DIR']
      ? []
      : [
          'DATABASE_URL: must be set when NODE_ENV=production; or QUITTANCE_DATA_DIR, for the embedded database.',
        ];
  const demo =
    given['QUITTANCE_DEMO'] === '1'
      ? ['QUITTANCE_DEMO: would make an account with its secrets in a file; unset it.']
      : [];
  const hosts =
    given['QUITTANCE_GATEWAY_HOSTS'] === 'any'
      ? [
          'QUITTANCE_GATEWAY_HOSTS: would let accounts choose the hosts that the service calls; unset it.',
        ]
      : [];
  const ranges = opensMetadata(given['QUITTANCE_OUTGOING_RANGES'] ?? '')
    ? [
        'QUITTANCE_OUTGOING_RANGES: would let accounts call what gives away the keys of this machine; name smaller networks.',
      ]
    : [];
  const plain = isPlainHttp(given['BASE_URL'] ?? '')
    ? ['BASE_URL: must begin with https, because links in it carry tokens.']
    : [];
  const secrets = Object.entries(given).flatMap(([name, value = '']) => {
    const reason = refusalOf(name, value);
    return reason ? [`${name}: ${reason}.`] : [];
  });
  return [...database, ...missing, ...demo, ...hosts, ...ranges, ...plain, ...secrets];
}

function refusalOf(name: string, value: string): string | null {
  const isSecret = SECRETS.test(name);
  if ((isSecret || DATABASE.test(name)) && EXAMPLE_MARKS.test(value)) {
    return 'is an example value; set a secret of your own';
  }
  if (!isSecret) return null;
  const weak = value.split(',').map((secret) => weaknessOf(secret.trim()));
  return weak.find((reason) => reason !== null) ?? null;
}
