/** The number of a bank account with its last four characters: enough to know it, not to pay by it. */
export function maskedNumber(number: string): string {
  return `****${number.slice(-4)}`;
}
