import { z } from 'zod';
import { nameWords } from '../../platform/http/openapi/words.js';
import { day } from '../../platform/http/validation/answer-fields.js';
import { dateText } from '../../platform/http/validation/date-fields.js';
import {
  amountMinor,
  decimalText,
  flag,
  nestedList,
  oneOf,
  wholeNumber,
} from '../../platform/http/validation/fields.js';
import { answerShape, patchOf, requestShape } from '../../platform/http/validation/shapes.js';
import { languageTag } from '../../platform/http/validation/standard-fields.js';
import { currencyCode, paragraph, shortText } from '../../platform/http/validation/text-fields.js';
import {
  CHARGES_ON,
  type DunningPlan,
  type DunningStep,
  type DunningTerms,
  LETTERS_BY,
} from '../domain/dunning-plan.js';
import { knownUntil, LAWS } from '../domain/late-payment-law.js';

nameWords({ DunningLettersBy: LETTERS_BY, DunningChargesOn: CHARGES_ON, LatePaymentLaw: LAWS });

const MOST_STEPS = 10;
const [EARLIEST, LATEST] = [-60, 365];

const FeeRequest = requestShape('DunningFeeRequest', {
  currency: currencyCode(),
  amount: amountMinor({ example: 500 }),
});

const WordsRequest = requestShape('DunningWordsRequest', {
  language: languageTag(),
  subject: shortText({ max: 200, optional: true }),
  text: paragraph({
    max: 2000,
    optional: true,
    description: 'In the place of our first sentence. What is asked for stands below it.',
  }),
});

const DunningStepRequest = requestShape('DunningStepRequest', {
  days: wholeNumber({
    min: EARLIEST,
    max: LATEST,
    example: 7,
    description: 'After the due date; below zero: before it.',
  }),
  pay_within_days: wholeNumber({
    min: 1,
    max: 60,
    optional: true,
    description: 'The letter asks to pay within so many days. Default: 7.',
  }),
  fees: nestedList(() => FeeRequest, {
    min: 0,
    max: 20,
    optional: true,
    description: 'What this letter costs, by the currency of the documents.',
  }),
  interest: flag({ optional: true, description: 'Whether it asks for statutory interest.' }),
  lump_sum: flag({
    optional: true,
    description: 'Whether it asks a business for the 40 EUR, once for a document in EUR.',
  }),
  words: nestedList(() => WordsRequest, {
    min: 0,
    max: 30,
    optional: true,
    description: 'Your own, by language. Other languages have ours.',
  }),
});
type DunningStepRequest = z.output<typeof DunningStepRequest>;

const BaseRateRequest = requestShape('DunningBaseRateRequest', {
  from: dateText({ description: 'The first day of a half year.', example: '2026-07-01' }),
  percent: decimalText({ min: '-10', max: '50', places: 2, textOnly: true, example: '1.27' }),
});

const steps = (description: string) =>
  nestedList(() => DunningStepRequest, { min: 0, max: MOST_STEPS, optional: true, description });

export const PatchDunningPlanRequest = requestShape('PatchDunningPlanRequest', {
  ...patchOf({
    letters_by: oneOf(LETTERS_BY, {
      optional: true,
      description:
        'A letter for each `document` (default), or one for all that a `customer` owes in a currency.',
    }),
    charges_on: oneOf(CHARGES_ON, {
      optional: true,
      description:
        'Fees and interest are billed by an invoice of their own (`own_document`, the default), or on the next one (`next_document`).',
    }),
    law: oneOf(LAWS, {
      optional: true,
      description: 'The country whose interest on late payments counts. Default: the seller’s.',
    }),
    base_rates: nestedList(() => BaseRateRequest, {
      min: 0,
      max: 100,
      optional: true,
      description: 'Base rates that are not known here yet; see `rates_known_until`.',
    }),
    business_steps: steps('For customers whose kind is `business`.'),
    consumer_steps: steps('For all other customers: the law protects consumers.'),
    due_from: dateText({
      optional: true,
      description:
        'Documents that were due before are left alone. Default: the day on which the plan got its first step.',
    }),
  }),
});
export type PatchDunningPlanRequest = z.output<typeof PatchDunningPlanRequest>;

const StepBody = answerShape('DunningStepBody', {
  days: z.number().meta({ type: 'integer' }),
  pay_within_days: z.number().meta({ type: 'integer' }),
  fees: z.array(z.object({ currency: z.string(), amount: z.number().meta({ type: 'integer' }) })),
  interest: z.boolean(),
  lump_sum: z.boolean(),
  words: z.array(
    z.object({
      language: z.string(),
      subject: z.string().nullable(),
      text: z.string().nullable(),
    }),
  ),
});

export const DunningPlanBody = answerShape('DunningPlanBody', {
  letters_by: z.enum(LETTERS_BY),
  charges_on: z.enum(CHARGES_ON),
  law: z.string().nullable(),
  base_rates: z.array(z.object({ from: day, percent: z.string() })),
  rates_known_until: day.describe('Later days bear no interest until their base rate is known.'),
  business_steps: z.array(StepBody),
  consumer_steps: z.array(StepBody),
  due_from: day.nullable(),
  version: z.number(),
});
export type DunningPlanBody = z.output<typeof DunningPlanBody>;

export function presentDunningPlan({ terms, version }: DunningPlan): DunningPlanBody {
  return { ...terms, rates_known_until: knownUntil(terms.base_rates), version };
}

/** The terms from now on. An absent field stays; null is the default. */
export function toDunningTerms(
  { business_steps, consumer_steps, ...change }: PatchDunningPlanRequest,
  before: DunningTerms,
): DunningTerms {
  return {
    letters_by: or(change.letters_by, before.letters_by, 'document'),
    charges_on: or(change.charges_on, before.charges_on, 'own_document'),
    law: or(change.law, before.law, null),
    base_rates: or(change.base_rates, before.base_rates, []).toSorted((one, other) =>
      one.from < other.from ? -1 : 1,
    ),
    business_steps: or(toSteps(business_steps), before.business_steps, []),
    consumer_steps: or(toSteps(consumer_steps), before.consumer_steps, []),
    due_from: or(change.due_from, before.due_from, null),
  };
}

const or = <Value>(sent: Value | null | undefined, was: Value, otherwise: Value): Value =>
  sent === undefined ? was : (sent ?? otherwise);

const toSteps = (steps: DunningStepRequest[] | null | undefined) =>
  steps === null ? null : steps?.map(toStep);

function toStep(step: DunningStepRequest): DunningStep {
  return {
    days: step.days,
    pay_within_days: step.pay_within_days ?? 7,
    fees: step.fees ?? [],
    interest: step.interest ?? false,
    lump_sum: step.lump_sum ?? false,
    words: (step.words ?? []).map(({ language, subject, text }) => ({
      language,
      subject: subject ?? null,
      text: text ?? null,
    })),
  };
}
