import { ApiProperty } from '@nestjs/swagger';
import { PageEnds } from '../../platform/http/paging.js';
import { WholeNumber } from '../../platform/http/validation/fields.js';

export class CreatePortalTokenRequest {
  @WholeNumber({ min: 1, max: 3650, optional: true, description: 'Default: 90.' })
  expires_in_days?: number;
}

class PortalTokenBody {
  @ApiProperty({ example: 'ptok_01h455vb4pex5vsknk084sn02q' }) id!: string;
  @ApiProperty({ format: 'date-time' }) expires_at!: string;
}

export class IssuedPortalTokenBody extends PortalTokenBody {
  @ApiProperty({ description: 'The token is shown only here.' }) token!: string;
  @ApiProperty({ description: 'The page to send to the client.' }) url!: string;
}

export class ListedPortalTokenBody extends PortalTokenBody {
  @ApiProperty({ format: 'date-time' }) created_at!: string;
  @ApiProperty({
    type: String,
    nullable: true,
    format: 'date-time',
    description:
      'When a person first opened the page. Programs, previews and scanners do not count.',
  })
  first_viewed_at!: string | null;
  @ApiProperty({ type: String, nullable: true, format: 'date-time', description: 'To the hour.' })
  last_viewed_at!: string | null;
  @ApiProperty({ type: String, nullable: true, format: 'date-time' }) revoked_at!: string | null;
}

export class PortalTokenList extends PageEnds {
  @ApiProperty({ type: [ListedPortalTokenBody] }) data!: ListedPortalTokenBody[];
}
