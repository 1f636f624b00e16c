import { kept } from '../kept.js';
import { AR } from './ar.js';
import { CS } from './cs.js';
import { DA } from './da.js';
import { DE } from './de.js';
import { EN } from './en.js';
import { ES } from './es.js';
import { FI } from './fi.js';
import { FR } from './fr.js';
import { HE } from './he.js';
import { HI } from './hi.js';
import { IT } from './it.js';
import { JA } from './ja.js';
import { KO } from './ko.js';
import { NB } from './nb.js';
import { NL } from './nl.js';
import { PL } from './pl.js';
import { PT } from './pt.js';
import { SV } from './sv.js';
import { TH } from './th.js';
import { ZH } from './zh.js';
import type { Texts } from './texts.js';

const TEXTS: Record<string, Texts> = {
  ar: AR,
  cs: CS,
  da: DA,
  de: DE,
  en: EN,
  es: ES,
  fi: FI,
  fr: FR,
  he: HE,
  hi: HI,
  it: IT,
  ja: JA,
  ko: KO,
  nb: NB,
  nl: NL,
  pl: PL,
  pt: PT,
  sv: SV,
  th: TH,
  zh: ZH,
};

/** Norwegian has two written forms and a tag for both; readers of one read the other. */
const OTHER_TAGS = new Map([
  ['no', 'nb'],
  ['nn', 'nb'],
]);

const RIGHT_TO_LEFT: ReadonlySet<string> = new Set(['ar', 'he']);

/** Of documents in a language that we do not speak. */
const FALLBACK_LANGUAGE = 'en';

export const LANGUAGES: readonly string[] = Object.keys(TEXTS);

/** @param language one of ours, as ISO 639 has it */
export function textsOf(language: string): Texts {
  return TEXTS[language] ?? EN;
}

/** The language of ours that a BCP 47 tag asks for; null where we do not speak it. */
function spokenLanguage(tag: Intl.Locale): string | null {
  const language = OTHER_TAGS.get(tag.language) ?? tag.language;
  // Our Chinese is simplified, which readers of the traditional script did not ask for.
  if (language === 'zh' && tag.maximize().script === 'Hant') return null;
  return Object.hasOwn(TEXTS, language) ? language : null;
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
