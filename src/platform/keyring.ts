import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createSecretKey,
  hkdfSync,
  type KeyObject,
} from 'node:crypto';
import { randomBytesOf } from '../kernel/random-bytes.js';

/** One of our secrets, for one purpose. */
interface KeyringKey {
  /** Names the secret, and says nothing of it: 8 hexadecimal digits. */
  id: string;
  key: KeyObject;
}

const KEY_BYTES = 32;
const ID_BYTES = 4;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * The keys of one purpose, one for each secret of `QUITTANCE_SECRET`, newest first. The newest
 * signs and seals; what an older one has signed or sealed is still read, by its id (decision 45).
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

  /** The secrets themselves, which sign access tokens. */
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

  /**
   * AES-256-GCM: the id of the newest key, then what it encrypted.
   * @param about the owner of the text, as authenticated data: elsewhere it cannot be decrypted
   */
  encrypt(plain: Buffer, about = ''): Buffer {
    const { id, key } = this.newest;
    const iv = randomBytesOf(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', key, iv);
    cipher.setAAD(Buffer.from(about));
    const parts = [iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()];
    return Buffer.concat([Buffer.from(id, 'hex'), ...parts]);
  }

  /** Null if it was changed or moved, or its key is gone. */
  decrypt(encrypted: Buffer, about = ''): Buffer | null {
    const named = this.byId(keyIdIn(encrypted));
    return named ? decrypted(named.key, encrypted.subarray(ID_BYTES), about) : null;
  }
}

/** The id of the key that encrypted it. */
export function keyIdIn(encrypted: Buffer): string {
  return encrypted.subarray(0, ID_BYTES).toString('hex');
}

function decrypted(key: KeyObject, encrypted: Buffer, about: string): Buffer | null {
  if (encrypted.length < IV_BYTES + TAG_BYTES) return null;
  const decipher = createDecipheriv('aes-256-gcm', key, encrypted.subarray(0, IV_BYTES));
  decipher.setAAD(Buffer.from(about));
  decipher.setAuthTag(encrypted.subarray(-TAG_BYTES));
  const plain = decipher.update(encrypted.subarray(IV_BYTES, -TAG_BYTES));
  try {
    return Buffer.concat([plain, decipher.final()]);
  } catch {
    return null;
  }
}

/** Of a key that nothing else uses: a digest of the secret itself could be guessed at. */
function idOf(secret: string): string {
  return createHash('sha256').update(derived(secret, 'quittance key id')).digest('hex').slice(0, 8);
}

function derived(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', purpose, KEY_BYTES));
}
