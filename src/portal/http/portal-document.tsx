import type {
  PrintedField,
  PrintedDocument,
  PrintedParty,
  TotalRow,
} from '../../documents/index.js';

interface PaperProps {
  paper: PrintedDocument;
}

export function Parties({ paper }: PaperProps) {
  return (
    <section class="sheet parties">
      <PartyBlock party={paper.seller} />
      <div>
        <PartyBlock party={paper.buyer} />
        {paper.shipTo && <PartyBlock party={paper.shipTo} />}
      </div>
      <Fields fields={paper.fields} />
    </section>
  );
}

function PartyBlock({ party }: { party: PrintedParty }) {
  return (
    <div class="party">
      <h2>{party.heading}</h2>
      <address>
        {party.name && <strong dir="auto">{party.name}</strong>}
        {party.lines.map((line, index) => (
          <span key={index} dir="auto">
            {line}
          </span>
        ))}
      </address>
    </div>
  );
}

function Fields({ fields }: { fields: PrintedField[] }) {
  return (
    <dl>
      {fields.map(({ name, value }) => (
        <div key={name}>
          <dt class="soft">{name}</dt>
          <dd dir="auto">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

export function Lines({ paper: { columns, lines } }: PaperProps) {
  const { description, quantity, unitPrice, tax, amount } = columns;
  return (
    <table class="lines">
      <thead>
        <tr>
          <th scope="col" class="position">
            #
          </th>
          <th scope="col">{description}</th>
          {[quantity, unitPrice, tax, amount].map((name) => (
            <th key={name} scope="col" class="figure">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => (
          <tr key={line.position}>
            <td class="position">{line.position}</td>
            <td class="description">
              <span class="pre" dir="auto">
                {line.description}
              </span>
              {line.adjustments.map((adjustment, index) => (
                <span key={index} class="adjustment">
                  {adjustment.name}
                  {adjustment.reason && <span dir="auto"> ·&nbsp;{adjustment.reason}</span>}:{' '}
                  {adjustment.amount}
                </span>
              ))}
            </td>
            <Figure label={quantity} value={line.quantity} />
            <Figure label={unitPrice} value={line.unitPrice} />
            <Figure label={tax} value={line.tax} />
            <Figure label={amount} value={line.amount} />
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** On a narrow screen the label stands before the value, in place of the table's header. */
function Figure({ label, value }: { label: string; value: string }) {
  return (
    <td class="figure" data-label={label}>
      <span>{value}</span>
    </td>
  );
}

type SettledRow = Pick<TotalRow, 'name' | 'amount'> & { isResult?: boolean };

/** @param settled what has happened to the total since */
export function Totals({ paper: { totals }, settled }: PaperProps & { settled: SettledRow[] }) {
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
        {reason && <small dir="auto"> ·&nbsp;{reason}</small>}
      </th>
      <td class="figure">{amount}</td>
    </tr>
  );
}

export function PaymentSection({ paper: { payment, texts } }: PaperProps) {
  if (!payment) return null;
  return (
    <section class="sheet payment">
      <h2>{texts.paymentDetails}</h2>
      <div>
        {payment.accounts.map((account, index) => (
          <Fields key={index} fields={account} />
        ))}
        {payment.references.length > 0 && <Fields fields={payment.references} />}
      </div>
    </section>
  );
}

export function Notes({ paper: { notes, texts } }: PaperProps) {
  if (!notes) return null;
  return (
    <section class="sheet">
      <h2>{texts.notes}</h2>
      <p class="pre" dir="auto">
        {notes}
      </p>
    </section>
  );
}
