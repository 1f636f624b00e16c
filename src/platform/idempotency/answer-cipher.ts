import { Keyring } from '../keyring.js';

/** Encrypts stored answers: one of them may hold a secret that is shown once (decision 2). */
export class AnswerCipher {
  private readonly keyring: Keyring;

  constructor(secrets: readonly string[]) {
    this.keyring = Keyring.derived(secrets, 'quittance stored answers');
  }

  encrypt(plain: Buffer): Buffer {
    return this.keyring.encrypt(plain);
  }

  /** Null if no key of ours fits: the answer was changed, or its key is gone. */
  decrypt(encrypted: Buffer): Buffer | null {
    return this.keyring.decrypt(encrypted);
  }
}
