import { z } from 'zod';
import { S3_SHAPES, s3Config, type S3Config, type S3VariableNames } from './s3-config.js';

const NAMES: S3VariableNames = {
  to: 'QUITTANCE_FILES_TO',
  endpoint: 'QUITTANCE_FILES_S3_ENDPOINT',
  region: 'QUITTANCE_FILES_S3_REGION',
  keyId: 'QUITTANCE_FILES_S3_KEY_ID',
  secret: 'QUITTANCE_FILES_S3_SECRET',
};

/** Of the store for the bytes of files. */
export const FileStoreVariables = {
  QUITTANCE_FILES_TO: S3_SHAPES.to,
  QUITTANCE_FILES_S3_ENDPOINT: S3_SHAPES.endpoint,
  QUITTANCE_FILES_S3_REGION: S3_SHAPES.region,
  QUITTANCE_FILES_S3_KEY_ID: S3_SHAPES.keyId,
  QUITTANCE_FILES_S3_SECRET: S3_SHAPES.secret,
};
const Variables = z.object(FileStoreVariables);

/** Null: all bytes are in the database. @throws ConfigError for what is missing */
export function fileStore(env: z.infer<typeof Variables>): S3Config | null {
  const values = {
    to: env.QUITTANCE_FILES_TO,
    endpoint: env.QUITTANCE_FILES_S3_ENDPOINT,
    region: env.QUITTANCE_FILES_S3_REGION,
    keyId: env.QUITTANCE_FILES_S3_KEY_ID,
    secret: env.QUITTANCE_FILES_S3_SECRET,
  };
  return s3Config(values, NAMES);
}
