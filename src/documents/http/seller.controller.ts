import { Body, Controller, Delete, Get, HttpCode, Patch, Put, Req, Res } from '@nestjs/common';
import {
  ApiBody,
  ApiConsumes,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiProduces,
  ApiTags,
} from '@nestjs/swagger';
import type { Response } from 'express';
import type { ExpectedVersions } from '../../kernel/versions.js';
import { BearerAuth, insufficientScope } from '../../platform/http/access.js';
import { Takes } from '../../platform/http/body/bodies.js';
import { ApiIfMatch, IfMatch, ifMatch } from '../../platform/http/if-match.js';
import { ApiIdempotent, ApiProblems } from '../../platform/http/openapi.js';
import { type ApiRequest, byClient, type Caller, CallerOf } from '../../platform/http/request.js';
import type { Once } from '../../platform/idempotency/idempotency.js';
import { OnceOnly } from '../../platform/idempotency/once.decorator.js';
import { SellerProfiles } from '../application/seller-profiles.service.js';
import type { LogoType } from '../domain/parties/logo.js';
import {
  PatchSellerRequest,
  presentProfile,
  SellerProfileBody,
  toProfilePatch,
} from './seller.dto.js';
import { sendStored, tagsOf } from './send-stored.js';

const LOGO_TYPES: LogoType[] = ['image/png', 'image/jpeg'];
const BYTES = { schema: { type: 'string', format: 'binary' } };

@ApiTags('seller')
@Controller('v1/finance/seller')
export class SellerController {
  constructor(private readonly profiles: SellerProfiles) {}

  @Get()
  @BearerAuth('documents:read')
  @ApiOperation({
    summary: 'Who sends the documents, and their defaults',
    operationId: 'getSeller',
  })
  @ApiOkResponse({ type: SellerProfileBody })
  async get(
    @CallerOf() caller: Caller,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SellerProfileBody> {
    return tagged(response, presentProfile(await this.profiles.find(caller.accountId)));
  }

  @Patch()
  @BearerAuth('documents:write')
  @ApiOperation({
    summary: 'Change the seller',
    description:
      'Issued documents keep the seller they were issued with; drafts take this one. Where clients ' +
      'pay to, `bank_accounts`, needs the scope `settings:write` as well.',
    operationId: 'updateSeller',
  })
  @ApiIdempotent()
  @ApiIfMatch()
  @ApiConsumes('application/merge-patch+json', 'application/json')
  @ApiOkResponse({ type: SellerProfileBody })
  @ApiProblems(
    'validation_failed',
    'unknown_field',
    'invalid_iban',
    'invalid_bic',
    'unknown_currency',
    'unknown_time_zone',
    'document_busy',
  )
  async patch(
    @CallerOf() caller: Caller,
    @Body() body: PatchSellerRequest,
    @IfMatch() versions: ExpectedVersions,
    @Res({ passthrough: true }) response: Response,
    @OnceOnly() once: Once,
  ): Promise<SellerProfileBody> {
    if (body.bank_accounts !== undefined && !caller.scopes.includes('settings:write')) {
      throw insufficientScope('settings:write', 'bank_accounts');
    }
    const profile = await once.run(presentProfile, (guard) =>
      this.profiles.patch(byClient(caller), toProfilePatch(body), versions, guard),
    );
    return tagged(response, profile);
  }

  @Get('logo')
  @BearerAuth('documents:read')
  @ApiOperation({ summary: 'The logo', operationId: 'getSellerLogo' })
  @ApiProduces(...LOGO_TYPES)
  @ApiOkResponse({ content: { 'image/png': BYTES, 'image/jpeg': BYTES } })
  @ApiProblems('logo_not_found')
  async logo(
    @CallerOf() caller: Caller,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    const { contentType, image, sha256 } = await this.profiles.logo(caller.accountId);
    response.setHeader('Content-Type', contentType);
    sendStored(request, response, image, sha256);
  }

  @Put('logo')
  @Takes('image')
  @BearerAuth('documents:write')
  @ApiOperation({
    summary: 'Upload a logo',
    description:
      'PNG or JPEG, at most 1 MB (1,048,576 bytes) and 4 megapixels. The pixels are encoded anew: ' +
      'metadata is gone, an orientation is applied, transparency stays.',
    operationId: 'putSellerLogo',
  })
  @ApiIdempotent()
  @ApiIfMatch()
  @ApiConsumes(...LOGO_TYPES)
  @ApiBody(BYTES)
  @ApiOkResponse({ type: SellerProfileBody })
  @ApiProblems('invalid_image', 'image_too_large', 'document_busy')
  async putLogo(
    @CallerOf() caller: Caller,
    @Req() request: ApiRequest,
    @OnceOnly() once: Once,
  ): Promise<SellerProfileBody> {
    const type = LOGO_TYPES.find((one) => request.is(one)) ?? 'image/png';
    const upload = { bytes: request.rawBody ?? Buffer.alloc(0), type };
    const isCurrent = logoMatch(request);
    return once.run(presentProfile, (guard) =>
      this.profiles.setLogo(byClient(caller), upload, isCurrent, guard),
    );
  }

  @Delete('logo')
  @HttpCode(204)
  @BearerAuth('documents:write')
  @ApiOperation({
    summary: 'Have no logo any more',
    description: 'Issued documents keep the one they were issued with.',
    operationId: 'deleteSellerLogo',
  })
  @ApiIdempotent()
  @ApiIfMatch()
  @ApiNoContentResponse()
  @ApiProblems('document_busy')
  async deleteLogo(
    @CallerOf() caller: Caller,
    @Req() request: ApiRequest,
    @OnceOnly() once: Once,
  ): Promise<void> {
    const isCurrent = logoMatch(request);
    await once.run(
      () => ({}),
      (guard) => this.profiles.removeLogo(byClient(caller), isCurrent, guard),
    );
  }
}

function tagged(response: Response, profile: SellerProfileBody): SellerProfileBody {
  response.setHeader('ETag', `"${profile.version}"`);
  return profile;
}

/** The condition of `If-Match` on the logo, whose tag is its content. */
function logoMatch(request: ApiRequest): (sha256: string | null) => boolean {
  // For its check of the form; the versions that it finds are no matter of a logo.
  ifMatch(request);
  const tags = tagsOf(request.headers['if-match']);
  return (sha256) =>
    tags === null || (sha256 !== null && (tags.includes('*') || tags.includes(`"${sha256}"`)));
}
