import { Body, Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { Accounts, AuditedWork } from '../../auth/index.js';
import { BankRefusal } from '../../bank/index.js';
import { FieldRefusal } from '../../kernel/field-refusals.js';
import { GatewayRefusal, PaymentRefusal } from '../../payments/index.js';
import { byClient, type Caller, CallerOf } from '../../platform/http/request.js';
import { Post } from '../../platform/http/route.js';
import { nameWords } from '../../platform/http/openapi/words.js';
import { instant } from '../../platform/http/validation/answer-fields.js';
import { amountMinor, oneOf } from '../../platform/http/validation/fields.js';
import { answerShape, requestShape } from '../../platform/http/validation/shapes.js';
import { shortText } from '../../platform/http/validation/text-fields.js';
import type { Once } from '../../platform/idempotency/idempotency.js';
import { OnceOnly } from '../../platform/idempotency/once.decorator.js';
import { SandboxTeller, type ToldBySandbox } from './sandbox-teller.js';
import { SANDBOX_TELLS } from './sandbox-told.js';

const WORDS = [...new Set(Object.values(SANDBOX_TELLS).flat())];
const KINDS = Object.keys(SANDBOX_TELLS) as [keyof typeof SANDBOX_TELLS];

nameWords({ SandboxOutcomeWord: WORDS, SandboxObjectKind: KINDS });

const POSSIBLE = Object.entries(SANDBOX_TELLS)
  .map(([kind, words]) => `${kind}: ${words.map((word) => `\`${word}\``).join(', ')}`)
  .join('. ');

const TellSandboxRequest = requestShape('TellSandboxRequest', {
  object: shortText({
    max: 60,
    example: 'plink_01h455vb4pex5vsknk084sn02q',
    description: 'The id of a payment link, mandate, payment, refund, dispute or payout.',
  }),
  outcome: oneOf(WORDS, { description: `By the kind of the object. ${POSSIBLE}.` }),
  amount: amountMinor({
    optional: true,
    description:
      'Of `refunded`, `dispute_inquiry` and `dispute_opened`: a part of the payment. Default: all.',
  }),
});
type TellSandboxRequest = z.output<typeof TellSandboxRequest>;

const SandboxToldBody = answerShape('SandboxToldBody', {
  object: z.string(),
  kind: z.enum(KINDS),
  outcome: z.enum(WORDS as [(typeof WORDS)[number]]),
  gateway: z.string(),
  events: z
    .array(
      answerShape('SandboxToldEvent', {
        id: z.string().describe('The `webhook-id` of its delivery.'),
        type: z.string().meta({ example: 'payment.succeeded' }),
        at: instant.describe('When it happens at the provider.'),
        sent: z.boolean().describe('It was delivered, and taken; else it comes later.'),
      }),
    )
    .describe('Signed, and delivered to the webhook of the gateway, in this order.'),
});
type SandboxToldBody = z.output<typeof SandboxToldBody>;

/** For programs: all that a person does at the page of the sandbox, and more. */
@ApiTags('trying')
@Controller('v1/sandbox/outcomes')
export class SandboxOutcomesController {
  constructor(
    private readonly accounts: Accounts,
    private readonly audited: AuditedWork,
    private readonly teller: SandboxTeller,
  ) {}

  @Post('', 'payments:write', {
    summary: 'Say what happens at the sandbox',
    description:
      'For accounts made for trying. The sandbox signs its events, and delivers them to its webhook as a provider would. Those of a payment link follow each other with its delay; all else happens at once, and is booked when the answer comes.',
    example: { object: 'plink_01h455vb4pex5vsknk084sn02q', outcome: 'paid' },
    answers: SandboxToldBody,
    problems: [
      GatewayRefusal.sandbox_for_tests,
      GatewayRefusal.not_of_sandbox,
      GatewayRefusal.sandbox_outcome_not_possible,
      GatewayRefusal.sandbox_event_refused,
      GatewayRefusal.gateway_not_found,
      GatewayRefusal.gateway_unreadable,
      FieldRefusal.invalid_id,
      PaymentRefusal.payment_link_not_found,
      PaymentRefusal.payment_link_not_open,
      PaymentRefusal.mandate_not_found,
      PaymentRefusal.payment_not_found,
      PaymentRefusal.refund_not_found,
      PaymentRefusal.dispute_not_found,
      BankRefusal.payout_not_found,
    ],
  })
  async tellSandbox(
    @CallerOf() caller: Caller,
    @Body({ schema: TellSandboxRequest }) { object, outcome, amount }: TellSandboxRequest,
    @OnceOnly() once: Once,
  ) {
    const { accountId } = caller;
    const { mode } = await this.accounts.find(accountId);
    if (mode !== 'test') throw GatewayRefusal.sandbox_for_tests.of();
    const present = (told: ToldBySandbox) => presentTold(told, { object, outcome });
    return once.run(present, async (guard) => {
      const by = byClient(caller);
      // An answer that is stored already is sent again, before anything is told.
      await this.audited.look(guard);
      const part = amount ? BigInt(amount) : null;
      const told = await this.teller.tell(accountId, { object, outcome, part });
      return this.audited.run(by, guard, async () => told);
    });
  }
}

function presentTold(
  { kind, gateway, events }: ToldBySandbox,
  { object, outcome }: Pick<TellSandboxRequest, 'object' | 'outcome'>,
): SandboxToldBody {
  return {
    object,
    kind,
    outcome,
    gateway,
    events: events.map(({ event: { id, type, at }, isSent }) => ({
      id,
      type,
      at: at.toISOString(),
      sent: isSent,
    })),
  };
}
