import { EU_COUNTRIES } from '../../../kernel/eu-countries.js';
import type { Uuid } from '../../../kernel/ids.js';
import { isValidVatNumber } from './vat-number.js';
import { DocumentRefusal } from '../refusals.js';

/** A VAT number of a member state, or of Northern Ireland, as the register has it. */
export interface EuVatNumber {
  /** `DE`; Greece is `EL`, and Northern Ireland `XI`. */
  prefix: string;
  /** `123456788`. */
  number: string;
}

/** The register's words. Some member states tell neither name nor address. */
export interface RegisteredVatNumber {
  isRegistered: boolean;
  name: string | null;
  address: string | null;
  /** Proof of the consultation; only where the number of the one who asks was sent. */
  consultationNumber: string | null;
}

/**
 * Tells whether a VAT number is registered now. Abstract class: port and injection token at once.
 * VIES is the one of the Commission; another source is another class in the module.
 */
export abstract class VatNumberRegister {
  /**
   * @param requester the number of the one who asks
   * @throws DomainError `vat_register_not_configured`, `vat_register_unavailable`
   */
  abstract find(
    accountId: Uuid,
    asked: EuVatNumber,
    requester: EuVatNumber | null,
  ): Promise<RegisteredVatNumber>;
}

/** Without a register nothing is asked, and nothing leaves the machine. */
export class NoVatNumberRegister extends VatNumberRegister {
  async find(): Promise<never> {
    throw DocumentRefusal.vat_register_not_configured.of();
  }
}

/** Null unless pattern and check digits are right, and a register of the EU has such numbers. */
export function euVatNumberOf(text: string | null): EuVatNumber | null {
  if (text === null || isValidVatNumber(text) !== true) return null;
  const compact = text.replaceAll(/[\s.-]/g, '').toUpperCase();
  const [prefix, number] = [compact.slice(0, 2), compact.slice(2)];
  if (prefix === 'GR' || prefix === 'EL') return { prefix: 'EL', number };
  return prefix === 'XI' || EU_COUNTRIES.includes(prefix) ? { prefix, number } : null;
}

/** One look into the register. */
export interface VatNumberCheck extends RegisteredVatNumber {
  vatNumber: string;
  /** The number that asked. */
  requester: string | null;
  checkedAt: Date;
}
