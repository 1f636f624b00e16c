import { Body, Controller, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import type { ExpectedVersions } from '../../kernel/versions.js';
import { IfMatch, ifMatch } from '../../platform/http/if-match.js';
import { type ApiRequest, byClient, type Caller, CallerOf } from '../../platform/http/request.js';
import { Delete, Get, Patch, Put } from '../../platform/http/route.js';
import type { Once } from '../../platform/idempotency/idempotency.js';
import { OnceOnly } from '../../platform/idempotency/once.decorator.js';
import { SellerProfiles } from '../application/seller-profiles.service.js';
import { LOGO_TYPES } from '../domain/parties/logo.js';
import {
  PatchSellerRequest,
  presentProfile,
  SellerProfileBody,
  toProfilePatch,
} from '../wire/seller.js';
import { sendStored, tagsOf } from './send-stored.js';
import { FieldRefusal } from '../../kernel/field-refusals.js';
import { DocumentRefusal } from '../domain/refusals.js';

type LogoMatch = (sha256: string | null) => boolean;

@ApiTags('seller')
@Controller('v1/finance/seller')
export class SellerController {
  constructor(private readonly profiles: SellerProfiles) {}

  @Get('', 'documents:read', {
    summary: 'Read the seller, and the defaults of documents',
    description:
      'Particulars, bank accounts, language, terms and settings of the account. The `ETag` is its version.',
    answers: SellerProfileBody,
  })
  async getSeller(@CallerOf() caller: Caller) {
    return presentProfile(await this.profiles.find(caller.accountId));
  }

  @Patch('', 'settings:write', {
    summary: 'Change the seller',
    example: { phone: '+49 30 1234567' },
    description:
      'Drafts take the new seller; issued documents keep theirs. All of it is printed on the documents of ' +
      'others, or the books stand on it, so it needs `settings:write`.',
    takes: 'mergePatch',
    answers: SellerProfileBody,
    problems: [
      FieldRefusal.validation_failed,
      FieldRefusal.unknown_field,
      FieldRefusal.said_twice,
      DocumentRefusal.invalid_iban,
      DocumentRefusal.invalid_bic,
      FieldRefusal.unknown_currency,
      DocumentRefusal.invalid_color,
      DocumentRefusal.unknown_placeholder,
      FieldRefusal.unknown_time_zone,
      FieldRefusal.date_in_future,
      DocumentRefusal.unknown_tax_rate,
      DocumentRefusal.tax_rate_archived,
      DocumentRefusal.cash_discounts_out_of_order,
    ],
  })
  async updateSeller(
    @CallerOf() caller: Caller,
    @Body({ schema: PatchSellerRequest }) body: PatchSellerRequest,
    @IfMatch() versions: ExpectedVersions,
    @OnceOnly() once: Once,
  ) {
    return once.run(presentProfile, (guard) =>
      this.profiles.patch(byClient(caller), toProfilePatch(body), versions, guard),
    );
  }

  @Get('logo', 'documents:read', {
    summary: 'Download the logo',
    description:
      'As it was encoded when it was uploaded: PNG or JPEG. It is 404 where there is none.',
    answers: { binary: LOGO_TYPES },
    problems: [DocumentRefusal.logo_not_found],
  })
  async getSellerLogo(
    @CallerOf() caller: Caller,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ) {
    const { contentType, image, sha256 } = await this.profiles.logo(caller.accountId);
    response.setHeader('Content-Type', contentType);
    sendStored(request, response, image, sha256);
  }

  @Put('logo', 'settings:write', {
    summary: 'Upload a logo',
    description:
      'A PNG or JPEG of at most 1 MB (1,048,576 bytes) and 4 megapixels. It is encoded anew: ' +
      'metadata is removed, its orientation is applied, and transparency stays.',
    takes: 'image',
    answers: SellerProfileBody,
    tag: 'logo',
    problems: [DocumentRefusal.invalid_image, DocumentRefusal.image_too_large],
  })
  async putSellerLogo(
    @CallerOf() caller: Caller,
    @Req() request: ApiRequest,
    @IfMatch(logoMatch) isCurrent: LogoMatch,
    @OnceOnly() once: Once,
  ) {
    const type = LOGO_TYPES.find((one) => request.is(one)) ?? 'image/png';
    const upload = { bytes: request.rawBody ?? Buffer.alloc(0), type };
    return once.run(presentProfile, (guard) =>
      this.profiles.setLogo(byClient(caller), upload, isCurrent, guard),
    );
  }

  @Delete('logo', 'settings:write', {
    summary: 'Delete the logo',
    description: 'Issued documents keep the logo that they were issued with.',
    answers: 'nothing',
  })
  async deleteSellerLogo(
    @CallerOf() caller: Caller,
    @IfMatch(logoMatch) isCurrent: LogoMatch,
    @OnceOnly() once: Once,
  ) {
    await once.run(
      () => ({}),
      (guard) => this.profiles.removeLogo(byClient(caller), isCurrent, guard),
    );
  }
}

/** The condition of `If-Match` on the logo, whose tag is its content. */
function logoMatch(request: Pick<ApiRequest, 'headers'>): LogoMatch {
  // It refuses a header that is malformed; the versions that it returns do not concern a logo.
  ifMatch(request);
  const tags = tagsOf(request.headers['if-match']);
  return (sha256) =>
    tags === null || (sha256 !== null && (tags.includes('*') || tags.includes(`"${sha256}"`)));
}
