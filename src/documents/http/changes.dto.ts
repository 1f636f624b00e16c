import { ApiProperty } from '@nestjs/swagger';
import { PageEnds } from '../../platform/http/paging.js';

const NULLABLE_TEXT = { type: String, nullable: true } as const;

export class ChangeBody {
  @ApiProperty({ example: '/lines/0/quantity', description: 'A JSON pointer.' }) field!: string;
  @ApiProperty(NULLABLE_TEXT) from!: string | null;
  @ApiProperty(NULLABLE_TEXT) to!: string | null;
}

export class ChangesBody extends PageEnds {
  @ApiProperty({ type: [ChangeBody] }) data!: ChangeBody[];
}
