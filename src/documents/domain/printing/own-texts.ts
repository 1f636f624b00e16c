import type { Texts } from '../texts/texts.js';
import { inLanguage, type Template, type TemplateText } from './template.js';

/** The words of a language, with those of the account in their place. */
export function ownTexts(texts: Texts, template: Template | null, language: string): Texts {
  if (!template || template.texts.length === 0) return texts;
  const own: Partial<Record<TemplateText['name'], string>> = {};
  for (const { name, text } of inLanguage(template.texts, language)) own[name] = text;
  const { titles } = texts;
  return {
    ...texts,
    titles: {
      invoice: own.invoice ?? titles.invoice,
      proforma: own.proforma ?? titles.proforma,
      quote: own.quote ?? titles.quote,
      credit_note: own.credit_note ?? titles.credit_note,
    },
    issueDate: own.issue_date ?? texts.issueDate,
    dueDate: own.due_date ?? texts.dueDate,
    validUntil: own.valid_until ?? texts.validUntil,
    reference: own.reference ?? texts.reference,
    purchaseOrder: own.purchase_order ?? texts.purchaseOrder,
    description: own.description ?? texts.description,
    quantity: own.quantity ?? texts.quantity,
    unitPrice: own.unit_price ?? texts.unitPrice,
    paymentDetails: own.payment_details ?? texts.paymentDetails,
    notes: own.notes ?? texts.notes,
  };
}
