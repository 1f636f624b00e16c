import type { CustomerKind } from '../../documents/index.js';
import { addDays, type IsoDate } from '../../kernel/clock.js';
import type { FieldError } from '../../kernel/domain-error.js';
import { invalidFields } from '../../kernel/field-refusals.js';
import { DunningRefusal } from './dunning-refusals.js';
import { type DunningStep, type DunningTerms, stepsFor } from './dunning-plan.js';
import { hasInterest, knownUntil, lawOf } from './late-payment-law.js';

const isFree = ({ fees, interest, lump_sum }: DunningStep) =>
  fees.length === 0 && !interest && !lump_sum;

/**
 * Refuses all that no letter could ask for, or that the law forbids.
 * @param country whose law counts
 * @throws DomainError with each wrong field
 */
export function assertLawful(terms: DunningTerms, country: string | null, today: IsoDate): void {
  const errors = (['business', 'consumer'] as const).flatMap((kind) =>
    faultsOf(stepsFor(terms, kind), kind, country),
  );
  const all = [...terms.business_steps, ...terms.consumer_steps];
  if (all.some(({ interest }) => interest)) {
    if (country === null || !lawOf(country)) errors.push(DunningRefusal.unknown_law.field('/law'));
    else if (knownUntil(terms.base_rates) < today) {
      const next = addDays(knownUntil(terms.base_rates), 1);
      const says = `The base rate of the half year from ${next} on is not known; send it in base_rates.`;
      errors.push(DunningRefusal.base_rate_unknown.field('/base_rates', says));
    }
  }
  if (errors.length > 0) throw invalidFields(errors);
}

function faultsOf(
  steps: readonly DunningStep[],
  kind: CustomerKind,
  country: string | null,
): FieldError[] {
  const firstLate = steps.findIndex(({ days }) => days > 0);
  const hasLumpSum = steps.some(({ lump_sum }) => lump_sum);
  return steps.flatMap((step, index) => {
    const at = `/${kind}_steps/${index}`;
    const faults: FieldError[] = [];
    const before = steps[index - 1];
    if (before && before.days >= step.days) {
      faults.push(DunningRefusal.steps_not_ascending.field(`${at}/days`));
    }
    if (step.days <= 0 && !isFree(step)) faults.push(DunningRefusal.no_charge_before_due.field(at));
    if (kind === 'consumer') {
      if (step.lump_sum) faults.push(DunningRefusal.lump_sum_of_consumer.field(`${at}/lump_sum`));
      if (index === firstLate && !isFree(step))
        faults.push(DunningRefusal.first_reminder_is_free.field(at));
      if (step.interest && country !== null && lawOf(country) && !hasInterest(country, kind))
        faults.push(DunningRefusal.no_statutory_interest.field(`${at}/interest`));
    } else if (hasLumpSum && step.fees.length > 0) {
      faults.push(DunningRefusal.fees_beside_lump_sum.field(`${at}/fees`));
    }
    return faults;
  });
}
