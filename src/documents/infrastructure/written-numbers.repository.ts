import { Injectable } from '@nestjs/common';
import type { AccountRow } from '../../auth/index.js';
import { publicId, type Uuid } from '../../kernel/ids.js';
import type { Tx } from '../../platform/database/tx.js';
import {
  type CountedNumber,
  faultOfNumber,
  NumberTexts,
} from '../domain/numbering/number-texts.js';

export type NumberedAccount = Pick<AccountRow, 'accountId' | 'name' | 'mode' | 'currency'>;

/** Numbers as they are written, by the pattern of their series or by another's code (decision 239). */
@Injectable()
export class WrittenNumbersRepository {
  constructor(private readonly texts: NumberTexts) {}

  textOf(
    { accountId, name, mode, currency }: NumberedAccount,
    counted: Omit<CountedNumber, 'account'>,
  ): string {
    const account = { id: publicId('acc', accountId), name, mode, currency };
    return this.texts.textOf({ ...counted, account });
  }

  /**
   * Another text than the pattern's. A series that may give it later could not go on then.
   * @throws Error that names the class which made it: nobody who asks for a number can help it
   */
  async assertFree(
    tx: Tx,
    accountId: Uuid,
    { number, kind, series, sequence }: Omit<CountedNumber, 'account'>,
    couldProduce: () => Promise<boolean>,
  ): Promise<void> {
    const fault =
      faultOfNumber(number, sequence) ??
      ((await couldProduce())
        ? 'is one that a series of yours may still give'
        : (await this.isTaken(tx, accountId, kind, number))
          ? 'is on another document already'
          : undefined);
    if (fault === undefined) return;
    // A rejection that nobody looks at would end the process.
    Promise.resolve(number).catch(() => undefined);
    const text = JSON.stringify(number)?.slice(0, 80) ?? typeof number;
    throw new Error(`${this.texts.constructor.name}: ${text}, for ${series} ${sequence}, ${fault}`);
  }

  private async isTaken(
    tx: Tx,
    accountId: Uuid,
    kind: CountedNumber['kind'],
    number: string,
  ): Promise<boolean> {
    const found = await tx.read<{ number: string | null }>(
      'SELECT number FROM documents WHERE account_id = $1 AND kind = $2 AND number = $3',
      [accountId, kind, number],
    );
    return found.length > 0;
  }
}
