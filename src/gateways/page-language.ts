/**
 * The language of a pay page that is nearest to ours: the same (`de-AT`, `de_AT`), else the first of
 * the same tongue. Undefined leaves it to the provider.
 * @param language BCP 47
 * @param spoken as the provider writes them, the more usual of a tongue first
 */
export function nearestLanguage(
  language: string | null,
  spoken: readonly string[],
): string | undefined {
  if (language === null) return undefined;
  return (
    spoken.find((one) => plain(one) === plain(language)) ??
    spoken.find((one) => tongue(one) === tongue(language))
  );
}

function plain(text: string): string {
  return text.toLowerCase().replaceAll('_', '-');
}

function tongue(text: string): string | undefined {
  return plain(text).split('-')[0];
}
