import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Files that test runs keep for the next one: an unpacked Chromium, certificates. */
export const CACHE_FOLDER = join(ROOT, 'node_modules', '.cache', 'quittance');

/** A PayPal certificate authority of our own, made by the global set-up. */
export const PAYPAL_FOLDER = join(CACHE_FOLDER, 'paypal');
