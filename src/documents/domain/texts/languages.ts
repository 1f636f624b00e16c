import { kept } from '../kept.js';
import ar from './ar.json' with { type: 'json' };
import cs from './cs.json' with { type: 'json' };
import da from './da.json' with { type: 'json' };
import de from './de.json' with { type: 'json' };
import en from './en.json' with { type: 'json' };
import es from './es.json' with { type: 'json' };
import fi from './fi.json' with { type: 'json' };
import fr from './fr.json' with { type: 'json' };
import he from './he.json' with { type: 'json' };
import hi from './hi.json' with { type: 'json' };
import it from './it.json' with { type: 'json' };
import ja from './ja.json' with { type: 'json' };
import ko from './ko.json' with { type: 'json' };
import nb from './nb.json' with { type: 'json' };
import nl from './nl.json' with { type: 'json' };
import pl from './pl.json' with { type: 'json' };
import pt from './pt.json' with { type: 'json' };
import sv from './sv.json' with { type: 'json' };
import th from './th.json' with { type: 'json' };
import zh from './zh.json' with { type: 'json' };
import { spoken, type Texts, type Words } from './texts.js';

type OneOther = 'one' | 'other';
type OneManyOther = OneOther | 'many';
type OneFewManyOther = OneManyOther | 'few';

/** The kinds of numbers that each language tells apart; test/documents/texts.spec.ts asks CLDR. */
interface Plurals {
  ar: Intl.LDMLPluralRule;
  cs: OneFewManyOther;
  da: OneOther;
  de: OneOther;
  en: OneOther;
  es: OneManyOther;
  fi: OneOther;
  fr: OneManyOther;
  he: OneOther | 'two';
  hi: OneOther;
  it: OneManyOther;
  ja: 'other';
  ko: 'other';
  nb: OneOther;
  nl: OneOther;
  pl: OneFewManyOther;
  pt: OneManyOther;
  sv: OneOther;
  th: 'other';
  zh: 'other';
}

/** A language that lacks one of the English texts, or a plural of a unit, does not compile. */
const COMPLETE: { [Language in keyof Plurals]: Words<Plurals[Language]> } = {
  ar,
  cs,
  da,
  de,
  en,
  es,
  fi,
  fr,
  he,
  hi,
  it,
  ja,
  ko,
  nb,
  nl,
  pl,
  pt,
  sv,
  th,
  zh,
};

export const WORDS: Readonly<Record<string, object>> = COMPLETE;

/** Norwegian has two written forms and a tag for both; readers of one read the other. */
const OTHER_TAGS = new Map([
  ['no', 'nb'],
  ['nn', 'nb'],
]);

const RIGHT_TO_LEFT: ReadonlySet<string> = new Set(['ar', 'he']);

/** Of documents in a language that we do not speak. */
const FALLBACK_LANGUAGE = 'en';

export const LANGUAGES: readonly string[] = Object.keys(WORDS);

/** @param language one of ours, as ISO 639 has it */
export function textsOf(language: string): Texts {
  return kept(texts, language, () => spoken(WORDS[language] ?? en));
}

const texts = new Map<string, Texts>();

/** The language of ours that a BCP 47 tag asks for; null where we do not speak it. */
function spokenLanguage(tag: Intl.Locale): string | null {
  const language = OTHER_TAGS.get(tag.language) ?? tag.language;
  // Our Chinese is simplified, which readers of the traditional script did not ask for.
  if (language === 'zh' && tag.maximize().script === 'Hant') return null;
  return Object.hasOwn(WORDS, language) ? language : null;
}

/** To parse a tag takes longer than all else that a document is shown with. */
const printed = new Map<string, string>();

/**
 * The language that a document is printed in, with the country that it names: `de-AT`. English
 * where we do not speak the one that it has, or where it has none.
 *
 * @param tag BCP 47
 */
export function printedLanguage(tag: string | null): string {
  if (tag === null) return FALLBACK_LANGUAGE;
  return kept(printed, tag, () => {
    const asked = new Intl.Locale(tag);
    const spoken = spokenLanguage(asked);
    if (spoken === null) return FALLBACK_LANGUAGE;
    return asked.region === undefined ? spoken : `${spoken}-${asked.region}`;
  });
}

export type TextDirection = 'ltr' | 'rtl';

/** @param tag BCP 47 */
export function isSpoken(tag: string): boolean {
  return spokenLanguage(new Intl.Locale(tag)) !== null;
}

/** @param tag BCP 47 */
export function directionOf(tag: string): TextDirection {
  return RIGHT_TO_LEFT.has(new Intl.Locale(tag).language) ? 'rtl' : 'ltr';
}
