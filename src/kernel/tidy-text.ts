const CONTROLS = /[\p{Cc}\s]+/gu;

/** Text of a bank as we keep it: one line, well formed, at most `longest` characters. */
export function tidyText(text: string | undefined | null, longest = 140): string | null {
  const tidy = (text ?? '').toWellFormed().replace(CONTROLS, ' ').trim();
  return tidy === '' ? null : tidy.slice(0, longest).toWellFormed();
}

/** Without its spaces and in capitals; null where it does not look like one. */
export function tidyIban(text: string | undefined | null): string | null {
  const iban = (text ?? '').replace(/[\s\p{Cc}]/gu, '').toUpperCase();
  return /^[A-Z]{2}\d{2}[A-Z0-9]{6,30}$/.test(iban) ? iban : null;
}

/** An account of a bank, by its IBAN or by another name. */
export function tidyBankAccount(text: string | undefined | null): string | null {
  return tidyIban(text) ?? tidyText(text);
}
