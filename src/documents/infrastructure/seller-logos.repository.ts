import { Injectable } from '@nestjs/common';
import type { Uuid } from '../../kernel/ids.js';
import { Database } from '../../platform/database/database.js';
import type { Tx } from '../../platform/database/unit-of-work.js';
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
    tx.write(
      `INSERT INTO seller_logos (account_id, sha256, content_type, width, height, image, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING`,
      [
        accountId,
        Buffer.from(logo.sha256, 'hex'),
        logo.contentType,
        logo.width,
        logo.height,
        logo.image,
        now,
      ],
    );
  }
}
