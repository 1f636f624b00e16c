import { z } from 'zod';
import { isPlainHttp } from '../../kernel/plain-http.js';
import { withoutEndSlashes } from '../../kernel/trim-end.js';
import { ConfigError } from './config-error.js';

/** S3-compatible storage, as an operator names it. */
export interface S3Config {
  bucket: string;
  /** Of its objects: empty, or with a slash at its end. */
  prefix: string;
  /** `https://s3.eu-central-1.amazonaws.com`; the bucket is the first part of the path. */
  endpoint: string;
  region: string;
  keyId: string;
  secret: string;
  /** For whoever has to mend one of them. */
  variables: S3VariableNames;
}

/** The names under which the environment has the values. */
export interface S3VariableNames {
  to: string;
  endpoint: string;
  region: string;
  keyId: string;
  secret: string;
}

/** The same values, as they were read. */
export interface S3Values {
  to: string | undefined;
  endpoint: string | undefined;
  region: string;
  keyId: string | undefined;
  secret: string | undefined;
}

const PLACE = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([\w!.*'()/-]{0,500}))?$/;

/** One shape for each place in S3-compatible storage. */
export const S3_SHAPES = {
  to: z.string().regex(PLACE, 'must be s3://bucket or s3://bucket/prefix').optional(),
  endpoint: z
    .url({ protocol: /^https?$/ })
    .refine((url) => !isPlainHttp(url), 'must begin with https, unless it is of this machine')
    .transform(withoutEndSlashes)
    .optional(),
  region: z
    .string()
    .regex(/^[a-z0-9-]{1,40}$/)
    .default('us-east-1'),
  keyId: z.string().optional(),
  secret: z.string().optional(),
};

/** Null: no place is named. @throws ConfigError for what is missing */
export function s3Config(
  { to, endpoint, region, keyId = '', secret = '' }: S3Values,
  variables: S3VariableNames,
): S3Config | null {
  const place = PLACE.exec(to ?? '');
  if (!place) return null;
  const missing = [...(keyId ? [] : [variables.keyId]), ...(secret ? [] : [variables.secret])].map(
    (name) => `${name}: is missing; ${variables.to} needs it.`,
  );
  if (missing.length > 0) throw new ConfigError(missing.join('\n'));
  const prefix = withoutEndSlashes(place[2] ?? '');
  return {
    bucket: place[1] ?? '',
    prefix: prefix && `${prefix}/`,
    endpoint: endpoint ?? `https://s3.${region}.amazonaws.com`,
    region,
    keyId,
    secret,
    variables,
  };
}
