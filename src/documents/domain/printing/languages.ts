import { DE } from './texts-de.js';
import { EN } from './texts-en.js';
import { ES } from './texts-es.js';
import { FR } from './texts-fr.js';
import { IT } from './texts-it.js';
import { NL } from './texts-nl.js';
import { PL } from './texts-pl.js';
import { PT } from './texts-pt.js';
import type { Texts } from './texts.js';

const TEXTS: Record<string, Texts> = {
  de: DE,
  en: EN,
  es: ES,
  fr: FR,
  it: IT,
  nl: NL,
  pl: PL,
  pt: PT,
};

/** Of documents in a language that we do not speak. */
export const FALLBACK_LANGUAGE = 'en';

export const LANGUAGES: readonly string[] = Object.keys(TEXTS);

/** @param language ISO 639, as in the first part of a BCP 47 tag */
export function textsOf(language: string): Texts | undefined {
  return Object.hasOwn(TEXTS, language) ? TEXTS[language] : undefined;
}
