import type { PaymentCode } from '../../domain/printing/payment-codes.js';
import { Reason } from './lines-table.js';
import { PaymentQr } from './payment-qr.js';
import type { PrintedField } from '../../domain/printing/printed-details.js';
import type { PrintedDocument } from '../../domain/printing/printed-document.js';
import type { PrintedParty } from '../../domain/printing/printed-party.js';
import type { TemplateBlock } from '../../domain/printing/template.js';
import type { SettledRow, TotalRow } from '../../domain/printing/printed-totals.js';

// The parts of a document as the PDF and the portal's page have them; each puts them into its own
// sections and styles them.

interface PaperProps {
  paper: PrintedDocument;
}

/** A section that is there only where it has something to say. */
interface SectionProps extends PaperProps {
  class: string;
}

export function Parties({ paper }: PaperProps) {
  return (
    <>
      <PartyBlock party={paper.seller} />
      <div>
        <PartyBlock party={paper.buyer} />
        {paper.shipTo && <PartyBlock party={paper.shipTo} />}
        {paper.others.map((party) => (
          <PartyBlock key={party.heading} party={party} />
        ))}
      </div>
      <FieldList fields={paper.fields} />
    </>
  );
}

export function PartyBlock({ party }: { party: PrintedParty }) {
  return (
    <div class="party">
      <h2>{party.heading}</h2>
      <address>
        {party.name && (
          <p>
            <strong>
              <bdi>{party.name}</bdi>
            </strong>
          </p>
        )}
        {party.lines.map((line, index) => (
          <p key={index}>
            <bdi>{line}</bdi>
          </p>
        ))}
      </address>
    </div>
  );
}

export function FieldList({ fields }: { fields: PrintedField[] }) {
  return (
    <dl>
      {fields.map(({ name, value }) => (
        <div key={name}>
          <dt class="soft">
            <p>{name}</p>
          </dt>
          <dd>
            <p>
              <bdi>{value}</bdi>
            </p>
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** @param settled what has happened to the total since */
export function Totals({
  paper: { totals },
  settled = [],
}: PaperProps & { settled?: SettledRow[] }) {
  return (
    <table class="totals">
      <tbody>
        {totals.parts.map((row, index) => (
          <Total key={index} {...row} />
        ))}
        <Total {...totals.total} isResult />
      </tbody>
      {totals.included && (
        <tbody class="included">
          <tr>
            <th scope="rowgroup" colspan={2}>
              {totals.included.heading}
            </th>
          </tr>
          {totals.included.rows.map((row, index) => (
            <Total key={index} {...row} />
          ))}
        </tbody>
      )}
      {settled.length > 0 && (
        <tbody>
          {settled.map((row) => (
            <Total key={row.name} {...row} />
          ))}
        </tbody>
      )}
    </table>
  );
}

function Total({ name, detail, reason, amount, isResult }: Partial<TotalRow> & SettledRow) {
  return (
    <tr class={isResult ? 'strong' : undefined}>
      <th scope="row">
        {name}
        {detail && <small> {detail}</small>}
        {reason && (
          <small>
            <Reason text={reason} />
          </small>
        )}
      </th>
      <td class="figure">
        <bdi>{amount}</bdi>
      </td>
    </tr>
  );
}

interface PaymentProps extends SectionProps {
  /** One for each account, for what is asked for here. */
  codes: readonly (PaymentCode | null)[];
}

export function PaymentSection({ paper: { payment, texts }, codes, ...section }: PaymentProps) {
  if (!payment) return null;
  return (
    <section {...section}>
      <h2>{texts.paymentDetails}</h2>
      <div>
        {payment.accounts.map((account, index) => (
          <FieldList key={index} fields={account} />
        ))}
        {payment.references.length > 0 && <FieldList fields={payment.references} />}
        {codes.map((code, index) =>
          code ? (
            <div key={index} class="scan">
              <PaymentQr code={code} label={texts.scanToPay} />
              <p>{texts.scanToPay}</p>
            </div>
          ) : null,
        )}
      </div>
    </section>
  );
}

interface BlocksProps extends SectionProps {
  place: TemplateBlock['place'];
}

/** The seller's own paragraphs for a place. */
export function Blocks({ paper, place, ...section }: BlocksProps) {
  return (
    <>
      {paper.blocks.map(({ place: there, heading, text }, index) =>
        there === place ? (
          <section key={index} {...section}>
            {heading && <h2 class="own">{heading}</h2>}
            <p class="pre" dir="auto">
              {text}
            </p>
          </section>
        ) : null,
      )}
    </>
  );
}

export function Notes({ paper: { notes, texts }, ...section }: SectionProps) {
  if (notes.length === 0) return null;
  return (
    <section {...section}>
      <h2>{texts.notes}</h2>
      {notes.map((note, index) => (
        <p key={index} class="pre" dir="auto">
          {note}
        </p>
      ))}
    </section>
  );
}
