import type { OpenApi } from '../e2e/schema-check.js';

/** The documents that show a thing, or the books that stand on it. */
type Reach = 'each document' | 'documents that name it' | 'its document' | 'the books';

/** By operation. */
const REACH: Record<string, [reach: Reach, what: string]> = {
  updateSeller: [
    'each document',
    'particulars, bank accounts, payee, notes, template, language, base currency, time zone',
  ],
  putSellerLogo: ['each document', 'logo'],
  deleteSellerLogo: ['each document', 'logo'],
  createNumberSeries: ['each document', 'pattern of numbers'],
  changeNumberSeries: ['each document', 'pattern of numbers'],
  createGateway: ['each document', 'buttons of the client’s page'],
  updateGateway: ['each document', 'buttons of the client’s page'],
  disableGateway: ['each document', 'buttons of the client’s page'],
  enableGateway: ['each document', 'buttons of the client’s page'],
  updateMailSettings: ['each document', 'sender and texts of letters'],
  updateDunningPlan: ['each document', 'words of reminders, lines of fees and interest'],
  updatePaymentSettings: ['the books', 'tolerance, meaning of refunds, retries of debits'],
  updateChartOfAccounts: ['the books', 'numbers of accounts'],
  closePeriod: ['the books', 'closed months'],
  reopenPeriod: ['the books', 'closed months'],
  setVatMethod: ['the books', 'when tax is due'],
  putExchangeRates: ['the books', 'exchange rates'],
  advanceTestClock: ['the books', 'the day, of accounts made for trying'],
  createItem: ['documents that name it', 'description, price, tax'],
  updateItem: ['documents that name it', 'description, price, tax'],
  createTaxRate: ['documents that name it', 'rate, reason of an exemption'],
  updateTaxRate: ['documents that name it', 'rate, reason of an exemption'],
  createCustomer: ['documents that name it', 'particulars of the buyer'],
  updateCustomer: ['documents that name it', 'particulars of the buyer'],
  putCustomerByExternalId: ['documents that name it', 'particulars of the buyer'],
  createDocument: ['its document', 'all of it; `payee` with settings:write'],
  createDocuments: ['its document', 'all of it; `payee` with settings:write'],
  updateDocument: ['its document', 'all of it; `payee` with settings:write'],
  putDocumentByExternalId: ['its document', 'all of it; `payee` with settings:write'],
  createSchedule: ['its document', 'all of each document; `payee` with settings:write'],
  updateSchedule: ['its document', 'all of each document; `payee` with settings:write'],
  attachFile: ['its document', 'a file, by its name'],
  attachLink: ['its document', 'a link, by its name'],
  createCreditNote: ['its document', 'lines, notes'],
  refundPayment: ['its document', 'the credit note of the refund'],
  decideRefund: ['its document', 'the credit note of the refund'],
  sendDocument: ['its document', 'a note in the letter'],
};

/** Steps of documents and money, which print what is there; and what nobody prints. */
const PRINTS_NOTHING_NEW = new Set(
  `previewNewSchedule previewScheduleChange pauseSchedule resumeSchedule endSchedule skipPeriod movePeriod
  updateDocumentDunning markReminderSent waiveReminderCharges reportUsage makeSchedulePeriod skipSchedulePeriod createClient updateClient revokeClient rotateClient deleteCustomer eraseCustomer checkVatNumber archiveCustomer
  unarchiveCustomer archiveItem unarchiveItem archiveTaxRate unarchiveTaxRate previewDocument
  validateDocumentBody deleteAttachment deleteDocument issueDocument validateDocument voidDocument writeOffDocument
  claimTaxRelief reverseWriteOff duplicateDocument reviseDocument convertDocument createPortalToken
  revokePortalTokens revokePortalToken previewTemplate recordPayment recordReceipt movePayment
  reversePayment createPaymentLink cancelPaymentLink createMandate updateMandate cancelMandate
  collectDocument lookUpRefund reverseRefund assignUnmatchedReceipt refundUnmatchedReceipt
  closeUnmatchedItem reopenUnmatchedItem rotateGatewaySecret retireGatewaySecret testGateway
  replayGatewayEvent importBankStatement withdrawBankStatement deleteBankFileMapping
  confirmBankEntry bookBankEntry unbookBankEntry ignoreBankEntry recordPayout importPayouts
  failPayout reversePayout retryMessage tellSandbox createWebhookEndpoint updateWebhookEndpoint
  deleteWebhookEndpoint rotateWebhookSecret enableWebhookEndpoint disableWebhookEndpoint
  testWebhookEndpoint redeliverWebhook replayWebhooks startIntegrityRun pauseIntegrityRun
  resumeIntegrityRun cancelIntegrityRun`.split(/\s+/),
);

export interface Right {
  operation: string;
  route: string;
  reach: Reach;
  what: string;
  scope: string;
}

/** Of each operation that writes. @throws Error for one that nobody has classed */
export function rightsIn(document: OpenApi): Right[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, { operationId = '', security = [] }]) => {
      const scope = security.flatMap((one) =>
        Object.values(one as Record<string, string[]>),
      )[0]?.[0];
      if (method === 'get' || method === 'head' || scope === undefined) return [];
      if (PRINTS_NOTHING_NEW.has(operationId)) return [];
      const known = REACH[operationId];
      if (!known) throw new Error(`printing-rights.ts does not know what ${operationId} prints`);
      const [reach, what] = known;
      const route = `${method.toUpperCase()} ${path.replace('/v1/finance/', '')}`;
      return [{ operation: operationId, route, reach, what, scope }];
    }),
  );
}

const ORDER: Reach[] = ['each document', 'the books', 'documents that name it', 'its document'];

/** The table of docs/security.md. */
export function rightsTable(rights: readonly Right[]): string {
  const rows = [...rights]
    .sort(
      (one, other) =>
        ORDER.indexOf(one.reach) - ORDER.indexOf(other.reach) || (one.route < other.route ? -1 : 1),
    )
    .map(({ route, what, reach, scope }) => `| \`${route}\` | ${what} | ${reach} | \`${scope}\` |`);
  return [
    '| route | what it sets | shown on, or decides | scope |',
    '|---|---|---|---|',
    ...rows,
  ].join('\n');
}
