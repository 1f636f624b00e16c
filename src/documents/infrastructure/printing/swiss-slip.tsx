import type { ComponentChildren } from 'preact';
import { groupedByFour } from '../../../kernel/creditor-reference.js';
import { writtenReference } from '../../domain/payment-reference.js';
import type { PaymentCode } from '../../domain/printing/payment-codes.js';
import { PaymentQr } from './payment-qr.js';
import slips from './swiss-slip.json' with { type: 'json' };

/** The words of the Swiss guidelines; other languages take the English ones. */
const TEXTS: Record<string, typeof slips.en> = slips;

/** A page with the payment part and the receipt of a QR-bill at its foot, 210 by 105 mm. */
export function SwissSlip({ code, language }: { code: PaymentCode; language: string }) {
  const texts = TEXTS[language.slice(0, 2)] ?? slips.en;
  const lines = code.payload.split('\n');
  const field = (at: number) => lines[at] ?? '';
  const iban = groupedByFour(field(3));
  const [creditor, debtor] = [addressAt(lines, 4), addressAt(lines, 20)];
  const reference = writtenReference(field(28));
  const payerOf = (address: string[]) => (
    <Block title={debtor.length > 0 ? texts.payableBy : texts.payableByBlank} lines={address}>
      {debtor.length === 0 && <div class="corners" />}
    </Block>
  );
  const sums = (
    <div class="slip-sums">
      <Block title={texts.currency} lines={[field(19)]} />
      <Block title={texts.amount} lines={[grouped(field(18))]} />
    </div>
  );
  return (
    <section class="slip-page" lang={language}>
      <p class="slip-separate">{texts.separate}</p>
      <div class="slip">
        <div class="slip-receipt">
          <h2>{texts.receipt}</h2>
          <Block title={texts.payableTo} lines={[iban, ...withoutStreet(creditor)]} />
          {reference && <Block title={texts.reference} lines={[reference]} />}
          {payerOf(withoutStreet(debtor))}
          {sums}
          <p class="slip-acceptance">{texts.acceptance}</p>
        </div>
        <div class="slip-payment">
          <div class="slip-code">
            <h2>{texts.payment}</h2>
            <PaymentQr code={code} label={texts.payment} quiet={0} />
            {sums}
          </div>
          <div class="slip-details">
            <Block title={texts.payableTo} lines={[iban, ...creditor]} />
            {reference && <Block title={texts.reference} lines={[reference]} />}
            {field(29) && <Block title={texts.information} lines={[field(29)]} />}
            {payerOf(debtor)}
          </div>
        </div>
      </div>
    </section>
  );
}

function Block(props: { title: string; lines: string[]; children?: ComponentChildren }) {
  return (
    <div class="slip-block">
      <h3>{props.title}</h3>
      {props.lines.map((line, index) => (
        <p key={index}>{line}</p>
      ))}
      {props.children}
    </div>
  );
}

/** Name, street, and code with town; nothing where nobody is named. */
function addressAt(lines: readonly string[], at: number): string[] {
  const [kind, name, street, , code, town, country] = lines.slice(at, at + 7);
  if (!kind) return [];
  const place = `${country === 'CH' ? '' : `${country}-`}${code} ${town}`;
  return [name ?? '', street ?? '', place].filter(Boolean);
}

/** The receipt has less room: the guidelines let it leave the street out. */
function withoutStreet(address: string[]): string[] {
  return address.length > 2 ? [address[0] ?? '', address[2] ?? ''] : address;
}

/** `1 234.50`, as the slip has it in every language. */
function grouped(amount: string): string {
  const format = new Intl.NumberFormat('en', { minimumFractionDigits: 2 });
  return format.format(amount as Intl.StringNumericLiteral).replaceAll(',', '\u00a0');
}

/** Sizes as the guidelines give them; the scissors' line is above and between. */
export const SLIP_STYLE = `
@page slip { size: A4; margin: 0; @top-left { content: none; } @bottom-left { content: none; } @bottom-right { content: none; } }
.slip-page { page: slip; break-before: page; width: 210mm; height: 297mm; display: flex; flex-direction: column;
  justify-content: flex-end; color: #000; line-height: 1.15; }
.slip-separate { padding-bottom: 1mm; font-size: 7pt; text-align: center; }
.slip { display: flex; width: 210mm; height: 105mm; border-top: .5pt dashed #000; }
.slip h2 { font-size: 11pt; font-weight: 700; color: #000; text-transform: none; margin: 0 0 3mm; }
.slip h3 { font-size: 8pt; font-weight: 700; }
.slip p { font-size: 10pt; overflow-wrap: anywhere; }
.slip-block + .slip-block { margin-top: 2.5mm; }
.slip-receipt { position: relative; width: 62mm; padding: 5mm; border-right: .5pt dashed #000; }
.slip-receipt h3 { font-size: 6pt; }
.slip-receipt p { overflow: hidden; font-size: 8pt; text-overflow: ellipsis; white-space: nowrap; }
.slip-payment { position: relative; display: flex; width: 148mm; padding: 5mm; }
.slip-code { width: 51mm; } .slip-code .qr { display: block; width: 46mm; height: 46mm; }
.slip-details { width: 87mm; }
.slip-sums { position: absolute; top: 68mm; display: flex; gap: 6mm; }
.slip-sums .slip-block { margin: 0; }
.slip-receipt .slip-acceptance { position: absolute; right: 5mm; top: 82mm; font-size: 6pt;
  font-weight: 700; }
.corners { width: 52mm; height: 20mm; border: .75pt solid #000; margin-top: 1mm; }
.slip-details .corners { width: 65mm; height: 25mm; }
`;
