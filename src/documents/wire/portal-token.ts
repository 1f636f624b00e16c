import { z } from 'zod';
import { answerShape, requestShape } from '../../platform/http/validation/shapes.js';
import { wholeList } from '../../platform/http/paging.js';
import { wholeNumber } from '../../platform/http/validation/fields.js';

export const CreatePortalTokenRequest = requestShape('CreatePortalTokenRequest', {
  expires_in_days: wholeNumber({ min: 1, max: 3650, optional: true, description: 'Default: 90.' }),
});
export type CreatePortalTokenRequest = z.output<typeof CreatePortalTokenRequest>;

const PortalTokenBody = answerShape('PortalTokenBody', {
  id: z.string().meta({ example: 'ptok_01h455vb4pex5vsknk084sn02q' }),
  expires_at: z.string().meta({ format: 'date-time' }),
});
type PortalTokenBody = z.output<typeof PortalTokenBody>;

export const IssuedPortalTokenBody = answerShape('IssuedPortalTokenBody', {
  ...PortalTokenBody.shape,
  token: z.string().describe('The token is shown only here.'),
  url: z.string().describe('The page to send to the client.'),
});
export type IssuedPortalTokenBody = z.output<typeof IssuedPortalTokenBody>;

const ListedPortalTokenBody = answerShape('ListedPortalTokenBody', {
  ...PortalTokenBody.shape,
  created_at: z.string().meta({ format: 'date-time' }),
  first_viewed_at: z.string().nullable().meta({
    format: 'date-time',
    description:
      'When a person first opened the page. Programs, previews and scanners do not count.',
  }),
  last_viewed_at: z.string().nullable().meta({ format: 'date-time', description: 'To the hour.' }),
  revoked_at: z.string().nullable().meta({ format: 'date-time' }),
});
type ListedPortalTokenBody = z.output<typeof ListedPortalTokenBody>;

export const PortalTokenList = wholeList('PortalTokenList', ListedPortalTokenBody);
export type PortalTokenList = z.output<typeof PortalTokenList>;
