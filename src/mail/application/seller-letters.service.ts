import { Injectable } from '@nestjs/common';
import { Accounts, ApiClientsQuery } from '../../auth/index.js';
import { Locale } from '../../documents/index.js';
import { type Uuid, uuidOf } from '../../kernel/ids.js';
import type { AskedEnd } from '../domain/asked-end.js';
import type { DetailsChange } from '../domain/details-change.js';
import type { DisabledEndpoint } from '../domain/disabled-endpoint.js';
import {
  askedEndLetter,
  endpointLetter,
  type SellerLetter,
  sellerLetter,
} from './seller-letter.js';

/** Writes to the seller: its own details were changed, and by whom, an endpoint ended, a schedule is to end. */
@Injectable()
export class SellerLetters {
  constructor(
    private readonly accounts: Accounts,
    private readonly clients: ApiClientsQuery,
  ) {}

  async write(
    accountId: Uuid,
    change: DetailsChange | DisabledEndpoint | AskedEnd,
  ): Promise<SellerLetter> {
    if ('changed' in change) return this.ofDetails(accountId, change);
    const account = await this.accounts.find(accountId);
    return 'endpoint' in change ? endpointLetter(account, change) : askedEndLetter(account, change);
  }

  private async ofDetails(accountId: Uuid, change: DetailsChange): Promise<SellerLetter> {
    const locale = Locale.of(change.language);
    const { detailsChanged: texts } = locale.texts.mail;
    const isEmailAlone = change.changed.every((name) => name === 'email');
    const told = isEmailAlone ? texts.email : texts.bankDetails;
    const { address } = change.by;
    return sellerLetter(locale, change.sellerName, {
      subject: told,
      paragraphs: [told, ...sentencesOf(change, locale), texts.notYou],
      facts: [
        {
          name: texts.by,
          value: [...(await this.whoIs(accountId, change.by)), address].filter(Boolean).join(', '),
        },
        { name: texts.at, value: locale.moment(new Date(change.at), change.timeZone) },
      ],
    });
  }

  /** Its name and its id: others may have that name. */
  private async whoIs(accountId: Uuid, { type, id }: DetailsChange['by']): Promise<string[]> {
    const uuid = type === 'client' && id !== null ? uuidOf('cli', id) : undefined;
    const client = uuid === undefined ? undefined : await this.clients.find(accountId, uuid);
    return [client?.name ?? type, id ?? ''];
  }
}

/** A sentence for each particular that is another one now. */
function sentencesOf({ changed, before, after }: DetailsChange, { texts }: Locale): string[] {
  const names = {
    bankAccounts: texts.paymentDetails,
    payee: texts.details.payee,
    email: texts.mail.detailsChanged.emailAddress,
  };
  const listed = (value: string | null | readonly string[]) =>
    [value ?? []].flat().join('; ') || texts.changes.none;
  return changed.map((name) =>
    texts.changes.changed(names[name], listed(before[name]), listed(after[name])),
  );
}
