import { createHash, createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';

/** One of our secrets, for one purpose. */
export interface KeyringKey {
  /** Names the secret, and says nothing of it: 8 hexadecimal digits. */
  id: string;
  key: KeyObject;
}

const KEY_BYTES = 32;

/**
 * The keys of one purpose, one for each secret of `QUITTANCE_SECRET`, newest first. The newest
 * signs and seals; what an older one has signed or sealed is still read, by its id.
 */
export class Keyring {
  readonly keys: readonly KeyringKey[];

  private constructor(secrets: readonly string[], derive: (secret: string) => Buffer) {
    this.keys = secrets.map((secret) => ({
      id: idOf(secret),
      key: createSecretKey(derive(secret)),
    }));
  }

  /** @param purpose so that no key says anything of the key of another purpose */
  static derived(secrets: readonly string[], purpose: string): Keyring {
    return new Keyring(secrets, (secret) => derived(secret, purpose));
  }

  /** The secrets themselves: access tokens were signed with them before there were several. */
  static plain(secrets: readonly string[]): Keyring {
    return new Keyring(secrets, (secret) => Buffer.from(secret));
  }

  get newest(): KeyringKey {
    const [newest] = this.keys;
    if (!newest) throw new Error('there is no secret');
    return newest;
  }

  byId(id: string): KeyringKey | undefined {
    return this.keys.find((one) => one.id === id);
  }

  /** The key that made this HMAC-SHA256, for what was signed before keys had ids. */
  signerOf(text: string, mac: Buffer): KeyringKey | undefined {
    return this.keys.find(({ key }) => createHmac('sha256', key).update(text).digest().equals(mac));
  }
}

/** Of a key that nothing else uses: a digest of the secret itself could be guessed at. */
function idOf(secret: string): string {
  return createHash('sha256').update(derived(secret, 'quittance key id')).digest('hex').slice(0, 8);
}

function derived(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', purpose, KEY_BYTES));
}
