import { createCipheriv, createDecipheriv, type KeyObject } from 'node:crypto';
import { randomBytesOf } from '../../kernel/random-bytes.js';
import { Keyring } from '../keyring.js';

const ID_BYTES = 4;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts stored answers (AES-256-GCM): one of them may hold a secret that is shown once. */
export class AnswerCipher {
  private readonly keyring: Keyring;

  constructor(secrets: readonly string[]) {
    this.keyring = Keyring.derived(secrets, 'quittance stored answers');
  }

  /** The id of the key, then what it encrypted. */
  encrypt(plain: Buffer): Buffer {
    const { id, key } = this.keyring.newest;
    const iv = randomBytesOf(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', key, iv);
    const parts = [iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()];
    return Buffer.concat([Buffer.from(id, 'hex'), ...parts]);
  }

  /** Null if no key of ours fits: the answer was changed, or its key is gone. */
  decrypt(encrypted: Buffer): Buffer | null {
    const named = this.keyring.byId(encrypted.subarray(0, ID_BYTES).toString('hex'));
    const plain = named && decrypted(named.key, encrypted.subarray(ID_BYTES));
    if (plain) return plain;
    // It is older than the ids of keys: any of ours may fit.
    for (const { key } of this.keyring.keys) {
      const old = decrypted(key, encrypted);
      if (old) return old;
    }
    return null;
  }
}

function decrypted(key: KeyObject, encrypted: Buffer): Buffer | null {
  if (encrypted.length < IV_BYTES + TAG_BYTES) return null;
  const decipher = createDecipheriv('aes-256-gcm', key, encrypted.subarray(0, IV_BYTES));
  decipher.setAuthTag(encrypted.subarray(-TAG_BYTES));
  const plain = decipher.update(encrypted.subarray(IV_BYTES, -TAG_BYTES));
  try {
    return Buffer.concat([plain, decipher.final()]);
  } catch {
    return null;
  }
}
