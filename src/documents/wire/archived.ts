import { nameWords } from '../../platform/http/openapi/words.js';
import { oneOf } from '../../platform/http/validation/fields.js';

const ARCHIVED = ['false', 'true', 'all'] as const;
nameWords({ Archived: ARCHIVED });

/** Whether a list has what is archived, or only that, or both. */
export const archivedParameter = () =>
  oneOf(ARCHIVED, {
    optional: true,
    description: 'Whether it is archived; `all` does not ask. Default: `false`.',
  });
