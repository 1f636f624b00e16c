import {
  type DatevHeader,
  datevHeader,
  datevRow,
  debtorNumber,
  numbered,
  datevText,
} from './datev-format.js';

/* Master data of debtors: category 16, format version 5. */

const ADDRESS =
  'Adressart;Straße;Postfach;Postleitzahl;Ort;Land;Versandzusatz;Adresszusatz;Abweichende Anrede;' +
  'Abw. Zustellbezeichnung 1;Abw. Zustellbezeichnung 2';

const banks = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => from + at).flatMap((bank) =>
    [
      `Bankleitzahl ${bank};Bankbezeichnung ${bank};Bank-Kontonummer ${bank}`,
      `Länderkennzeichen ${bank};IBAN-Nr. ${bank};IBAN${bank} korrekt;SWIFT-Code ${bank}`,
      `Abw. Kontoinhaber ${bank};Kennz. Hauptbankverb. ${bank}`,
      `Bankverb ${bank} Gültig von;Bankverb ${bank} Gültig bis`,
    ].flatMap((some) => some.split(';')),
  );

const COLUMNS = [
  'Konto;Name (Adressattyp Unternehmen);Unternehmensgegenstand'.split(';'),
  'Name (Adressattyp natürl. Person);Vorname (Adressattyp natürl. Person)'.split(';'),
  'Name (Adressattyp keine Angabe);Adressattyp;Kurzbezeichnung;EU-Land;EU-UStID'.split(';'),
  'Anrede;Titel/Akad. Grad;Adelstitel;Namensvorsatz'.split(';'),
  ADDRESS.split(';'),
  'Kennz. Korrespondenzadresse;Adresse Gültig von;Adresse Gültig bis'.split(';'),
  'Telefon;Bemerkung (Telefon);Telefon GL;Bemerkung (Telefon GL)'.split(';'),
  'E-Mail;Bemerkung (E-Mail);Internet;Bemerkung (Internet);Fax;Bemerkung (Fax)'.split(';'),
  'Sonstige;Bemerkung (Sonstige)'.split(';'),
  banks(1, 5),
  'Leerfeld;Briefanrede;Grußformel;Kundennummer;Steuernummer;Sprache'.split(';'),
  'Ansprechpartner;Vertreter;Sachbearbeiter;Diverse-Konto;Ausgabeziel'.split(';'),
  'Währungssteuerung;Kreditlimit (Debitor);Zahlungsbedingung'.split(';'),
  'Fälligkeit in Tagen (Debitor);Skonto in Prozent (Debitor)'.split(';'),
  'Kreditoren-Ziel 1 Tg.;Kreditoren-Skonto 1 %;Kreditoren-Ziel 2 Tg.'.split(';'),
  'Kreditoren-Skonto 2 %;Kreditoren-Ziel 3 Brutto Tg.;Kreditoren-Ziel 4 Tg.'.split(';'),
  'Kreditoren-Skonto 4 %;Kreditoren-Ziel 5 Tg.;Kreditoren-Skonto 5 %'.split(';'),
  ['Mahnung', 'Kontoauszug', ...numbered(3, 'Mahntext'), 'Kontoauszugstext'],
  ['Mahnlimit Betrag', 'Mahnlimit %', 'Zinsberechnung', ...numbered(3, 'Mahnzinssatz')],
  ['Lastschrift', 'Verfahren', 'Mandantenbank', 'Zahlungsträger'],
  numbered(15, 'Indiv. Feld'),
  'Abweichende Anrede (Rechnungsadresse);Adressart (Rechnungsadresse)'.split(';'),
  'Straße (Rechnungsadresse);Postfach (Rechnungsadresse)'.split(';'),
  'Postleitzahl (Rechnungsadresse);Ort (Rechnungsadresse);Land (Rechnungsadresse)'.split(';'),
  'Versandzusatz (Rechnungsadresse);Adresszusatz (Rechnungsadresse)'.split(';'),
  'Abw. Zustellbezeichnung 1 (Rechnungsadresse)',
  'Abw. Zustellbezeichnung 2 (Rechnungsadresse)',
  'Adresse Gültig von (Rechnungsadresse);Adresse Gültig bis (Rechnungsadresse)'.split(';'),
  banks(6, 10),
  ['Nummer Fremdsystem', 'Insolvent', ...numbered(10, 'SEPA-Mandatsreferenz')],
  'Verknüpftes OPOS-Konto;Mahnsperre bis;Lastschriftsperre bis;Zahlungssperre bis'.split(';'),
  ['Gebührenberechnung', ...numbered(3, 'Mahngebühr')],
  ['Pauschalenberechnung', ...numbered(3, 'Verzugspauschale'), 'Alternativer Suchname', 'Status'],
  'Anschrift manuell geändert (Korrespondenzadresse)',
  'Anschrift individuell (Korrespondenzadresse)',
  'Anschrift manuell geändert (Rechnungsadresse)',
  'Anschrift individuell (Rechnungsadresse)',
  ['Fristberechnung bei Debitor', ...numbered(3, 'Mahnfrist'), 'Letzte Frist'],
].flat();

const KIND = { category: 16, name: 'Debitoren/Kreditoren', version: 5 };

/** A customer with the number that the accountant's program knows. */
export interface Debtor {
  place: number;
  name: string;
  street: string | null;
  postalCode: string | null;
  city: string | null;
  country: string | null;
  email: string | null;
  taxId: string | null;
}

export function debtorsHead(header: DatevHeader): string {
  return `${datevHeader(KIND, header)}${COLUMNS.join(';')}\r\n`;
}

/** All of them are companies: of persons DATEV asks for parts of the name, which nobody told. */
export function debtorLine(debtor: Debtor, digits: number): string {
  const { name, street, postalCode, city, country, email, taxId } = debtor;
  const vat = /^([A-Z]{2})([0-9A-Z]{2,13})$/.exec(taxId ?? '');
  const cells = new Map([
    ['Konto', debtorNumber(debtor.place, digits)],
    ['Name (Adressattyp Unternehmen)', datevText(name, 50)],
    ['Adressattyp', datevText('2')],
    ['Kurzbezeichnung', datevText(name, 15)],
    ['EU-Land', datevText(vat?.[1] ?? '')],
    ['EU-UStID', datevText(vat?.[2] ?? '')],
    ['Adressart', datevText(street || city ? 'STR' : '')],
    ['Straße', datevText(street ?? '', 36)],
    ['Postleitzahl', datevText(postalCode ?? '', 10)],
    ['Ort', datevText(city ?? '', 30)],
    ['Land', datevText(country ?? '')],
    ['E-Mail', datevText(email ?? '', 60)],
  ]);
  return datevRow(COLUMNS, cells);
}
