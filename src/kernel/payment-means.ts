/** Ways to pay that are credit transfers, of SEPA and others (UNTDID 4461). */
export const CREDIT_TRANSFERS: ReadonlySet<string> = new Set(['30', '58']);
