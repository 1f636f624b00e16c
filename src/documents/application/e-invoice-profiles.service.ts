import { Injectable } from '@nestjs/common';
import type { Document } from '../domain/document.js';
import {
  type DocumentContent,
  type DocumentView,
  documentView,
  NO_RELATIONS,
} from '../domain/document-view.js';
import { type EInvoiceProfile, profileOf } from '../domain/codes/e-invoice-profiles.js';
import type { LegalFinding } from '../domain/legal/legal-check.js';
import { DocumentRefusal } from '../domain/refusals.js';

/** A rule of a profile that those who receive it send back. */
type BrokenRule = Pick<LegalFinding, 'rule' | 'message' | 'pointer'>;

type FatalRules = (view: DocumentView, profile: EInvoiceProfile) => BrokenRule[];

const MOST_RULES = 100;

/** Asks whether those who receive the e-invoice of a document would send it back (decision 251). */
@Injectable()
export class EInvoiceProfiles {
  private fatalRules: FatalRules = () => [];

  /** E-invoices, which know the rules, stand to the right of documents. */
  judgeBy(fatalRules: FatalRules): void {
    this.fatalRules = fatalRules;
  }

  /** The fatal rules that a document breaks, whose profile is chosen. */
  findings(document: Document, content: DocumentContent): LegalFinding[] {
    const profile = profileOf({ kind: document.state.kind, details: content.details });
    if (profile === null) return [];
    const view = documentView(document, content, NO_RELATIONS);
    const { code } = DocumentRefusal.e_invoice_rule_broken;
    return this.fatalRules(view, profile)
      .slice(0, MOST_RULES)
      .map(({ rule, message, pointer }) => ({
        code,
        message: `${rule}: ${message}`,
        pointer,
        rule,
      }));
  }
}
