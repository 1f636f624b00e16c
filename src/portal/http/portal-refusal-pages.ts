import { Injectable } from '@nestjs/common';
import { Locale, type Texts, DocumentRefusal } from '../../documents/index.js';
import type { Problem } from '../../platform/http/problem.js';
import { type RefusalPage, RefusalPages } from '../../platform/http/refusal-pages.js';
import type { ApiRequest } from '../../platform/http/request.js';
import { browserLanguage, languageAsked } from './portal-language.js';
import { SMALL_PAGE_POLICY, smallPage } from './small-page.js';

/** The API and its reference are for programs, and for people who want to see what they get. */
const FOR_PROGRAMS = /^\/(docs|v1\/(?!portal\/|sandbox\/(?!outcomes)))/;

/** Tells a person in the browser what a problem document tells a program, in their language. */
@Injectable()
export class PortalRefusalPages {
  constructor(pages: RefusalPages) {
    pages.use(refusalPage);
  }
}

function refusalPage(request: ApiRequest, problem: Problem): RefusalPage | null {
  if (FOR_PROGRAMS.test(request.path)) return null;
  if (request.accepts(['application/problem+json', 'html']) !== 'html') return null;
  const language = languageOf(request);
  const { texts } = Locale.of(language);
  const html = smallPage({ language, ...sentencesFor(problem, texts) });
  return { html, contentSecurityPolicy: SMALL_PAGE_POLICY };
}

/** The query itself may be what is refused. */
function languageOf(request: ApiRequest): string | null {
  try {
    return languageAsked(request) ?? browserLanguage(request);
  } catch {
    return browserLanguage(request);
  }
}

function sentencesFor(
  { status, code, request_id: id }: Problem,
  { pages }: Texts,
): { title: string; sentence: string } {
  if (code === DocumentRefusal.portal_link_not_found.code) return pages.linkGone;
  if (status === 404) return pages.notFound;
  if (status === 413 || status === 414 || status === 431) return pages.tooLarge;
  if (status === 429) return pages.tooOften;
  if (status === 503) return pages.unavailable;
  if (status < 500) return pages.notPossible;
  return { title: pages.broken.title, sentence: pages.broken.sentence(id) };
}
