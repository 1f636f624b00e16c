import { Injectable } from '@nestjs/common';
import type { Uuid } from '../../kernel/ids.js';
import { Database } from '../../platform/database/database.js';
import { insertInto } from '../../platform/database/sql-statement.js';
import type { Tx } from '../../platform/database/tx.js';
import type { Logo } from '../domain/parties/logo.js';

/** Every logo that an account ever had, by its content. */
@Injectable()
export class SellerLogos {
  constructor(private readonly database: Database) {}

  /** @param sha256 hexadecimal, as in the `logo` of a seller */
  async find(accountId: Uuid, sha256: string): Promise<Omit<Logo, 'sha256'> | undefined> {
    const [row] = await this.database.query<Omit<Logo, 'sha256'>>(
      `SELECT content_type AS "contentType", width, height, image FROM seller_logos
       WHERE account_id = $1 AND sha256 = $2`,
      [accountId, Buffer.from(sha256, 'hex')],
    );
    return row;
  }

  /** A logo that is there already is the same one. */
  insert(tx: Tx, accountId: Uuid, logo: Logo, now: Date): void {
    const row = {
      account_id: accountId,
      sha256: Buffer.from(logo.sha256, 'hex'),
      content_type: logo.contentType,
      width: logo.width,
      height: logo.height,
      image: logo.image,
      created_at: now,
    };
    const { text, values } = insertInto('seller_logos', [row]);
    tx.write(`${text} ON CONFLICT DO NOTHING`, values);
  }
}
