import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto';
import { Keyring } from '../keyring.js';

const ID_BYTES = 4;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts stored answers (AES-256-GCM): one of them may hold a secret that is shown once. */
export class Seal {
  private readonly keyring: Keyring;

  constructor(secrets: readonly string[]) {
    this.keyring = Keyring.derived(secrets, 'quittance stored answers');
  }

  /** The id of the key, then what it sealed. */
  close(plain: Buffer): Buffer {
    const { id, key } = this.keyring.newest;
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', key, iv);
    const sealed = [iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()];
    return Buffer.concat([Buffer.from(id, 'hex'), ...sealed]);
  }

  /** Null where no key of ours opens it: it was changed, or its key is gone. */
  open(sealed: Buffer): Buffer | null {
    const named = this.keyring.byId(sealed.subarray(0, ID_BYTES).toString('hex'));
    const plain = named && opened(named.key, sealed.subarray(ID_BYTES));
    if (plain) return plain;
    // From before keys had ids: any of ours may have sealed it.
    for (const { key } of this.keyring.keys) {
      const old = opened(key, sealed);
      if (old) return old;
    }
    return null;
  }
}

function opened(key: KeyObject, sealed: Buffer): Buffer | null {
  if (sealed.length < IV_BYTES + TAG_BYTES) return null;
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, IV_BYTES));
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  const plain = decipher.update(sealed.subarray(IV_BYTES, -TAG_BYTES));
  try {
    return Buffer.concat([plain, decipher.final()]);
  } catch {
    return null;
  }
}
