import { LANGUAGES, Locale } from '../../documents/index.js';
import { portalUrl } from './portal-language.js';

/** Made once: to look a name up costs more than all else of the switch. */
const NAMES = new Map(
  LANGUAGES.map((language) => {
    const name = new Intl.DisplayNames([language], { type: 'language' }).of(language) ?? language;
    return [language, name.replace(/^\p{Ll}/u, (letter) => letter.toLocaleUpperCase(language))];
  }),
);

/** The same page in another language, each under its own name. */
export function LanguageSwitch({ token, locale }: { token: string; locale: Locale }) {
  const spoken = new Intl.Locale(locale.language).language;
  return (
    <nav class="languages" aria-label={locale.texts.language}>
      <details>
        <summary>
          {locale.texts.language}: {NAMES.get(spoken)}
        </summary>
        <ul>
          {LANGUAGES.filter((language) => language !== spoken).map((language) => (
            <li key={language}>
              <a href={portalUrl(token, '', language)} hreflang={language} lang={language}>
                <bdi>{NAMES.get(language)}</bdi>
              </a>
            </li>
          ))}
        </ul>
      </details>
    </nav>
  );
}
