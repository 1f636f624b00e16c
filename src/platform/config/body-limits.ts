import { z } from 'zod';
import { wholeVariable } from './whole-variable.js';

/** Of the bodies of requests. */
export const BodyLimitVariables = {
  QUITTANCE_BODY_LIMIT_BYTES: wholeVariable(102_400, 1024, 10_485_760),
  QUITTANCE_DOCUMENT_BODY_LIMIT_BYTES: wholeVariable(8_388_608, 1024, 52_428_800),
  QUITTANCE_BANK_FILE_LIMIT_BYTES: wholeVariable(2_097_152, 1024, 52_428_800),
  QUITTANCE_WEBHOOK_BODY_LIMIT_BYTES: wholeVariable(262_144, 1024, 10_485_760),
  QUITTANCE_BODIES_IN_FLIGHT_BYTES: wholeVariable(67_108_864, 1_048_576, 17_179_869_184),
};
const Variables = z.object(BodyLimitVariables);

export function bodyLimits(env: z.infer<typeof Variables>) {
  return {
    bodyLimitBytes: env.QUITTANCE_BODY_LIMIT_BYTES,
    documentBodyLimitBytes: env.QUITTANCE_DOCUMENT_BODY_LIMIT_BYTES,
    bankFileLimitBytes: env.QUITTANCE_BANK_FILE_LIMIT_BYTES,
    webhookBodyLimitBytes: env.QUITTANCE_WEBHOOK_BODY_LIMIT_BYTES,
    bodiesInFlightBytes: env.QUITTANCE_BODIES_IN_FLIGHT_BYTES,
  };
}
