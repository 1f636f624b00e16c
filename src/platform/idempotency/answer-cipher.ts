import { decrypted, KeyedCipher } from '../keyed-cipher.js';
import { Keyring } from '../keyring.js';

/** Encrypts stored answers: one of them may hold a secret that is shown once. */
export class AnswerCipher {
  private readonly keyring: Keyring;
  private readonly cipher: KeyedCipher;

  constructor(secrets: readonly string[]) {
    this.keyring = Keyring.derived(secrets, 'quittance stored answers');
    this.cipher = new KeyedCipher(this.keyring);
  }

  encrypt(plain: Buffer): Buffer {
    return this.cipher.encrypt(plain);
  }

  /** Null if no key of ours fits: the answer was changed, or its key is gone. */
  decrypt(encrypted: Buffer): Buffer | null {
    const plain = this.cipher.decrypt(encrypted);
    if (plain) return plain;
    // It is older than the ids of keys: any of ours may fit.
    for (const { key } of this.keyring.keys) {
      const old = decrypted(key, encrypted);
      if (old) return old;
    }
    return null;
  }
}
