import { Controller, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Response } from 'express';
import { Locale } from '../../documents/index.js';
import type { ApiRequest } from '../../platform/http/request.js';
import { Get } from '../../platform/http/route.js';
import { ICON_SVG } from './icon.js';
import { browserLanguage } from './portal-language.js';
import { sendSmallPage } from './small-page.js';

const A_DAY = 'public, max-age=86400';

/** The paths that a browser asks of any site. */
@ApiExcludeController()
@Controller()
export class SiteController {
  @Get('', 'public', { summary: 'The front door', answers: { text: ['text/html'] } })
  async front(@Req() request: ApiRequest, @Res() response: Response) {
    response.vary('Accept, Accept-Language');
    if (request.accepts(['json', 'html']) === 'json') {
      response.json({ documentation: '/docs', openapi: '/v1/openapi.json' });
      return;
    }
    const language = browserLanguage(request);
    const { welcome, documentation } = Locale.of(language).texts.pages;
    const link = { text: documentation, url: '/docs' };
    sendSmallPage(response, { language, ...welcome, link });
  }

  /** Nothing here is for a search engine; links of clients least of all. */
  @Get('robots.txt', 'public', { summary: 'For crawlers', answers: { text: ['text/plain'] } })
  async robots(@Res() response: Response) {
    response.setHeader('Cache-Control', A_DAY);
    response.type('text/plain').send('User-agent: *\nDisallow: /\n');
  }

  @Get('favicon.ico', 'public', { summary: 'The icon', answers: { text: ['image/svg+xml'] } })
  async icon(@Res() response: Response) {
    response.setHeader('Cache-Control', A_DAY);
    response.type('image/svg+xml').send(ICON_SVG);
  }
}
