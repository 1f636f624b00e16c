import 'reflect-metadata';
import { createSecretKey } from 'node:crypto';
import {
  BadRequestException,
  Body,
  Controller,
  Get,
  Headers,
  HttpCode,
  Injectable,
  Module,
  NotFoundException,
  Param,
  Post,
  type RawBodyRequest,
  Req,
  UseGuards,
  ValidationPipe,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { JwtModule, JwtService } from '@nestjs/jwt';
import { AuthGuard, PassportModule, PassportStrategy } from '@nestjs/passport';
import { TypeOrmModule } from '@nestjs/typeorm';
import { IsIn, IsInt, IsOptional, IsString, MaxLength, Min } from 'class-validator';
import type { Request } from 'express';
import { ExtractJwt, Strategy } from 'passport-jwt';
import Stripe from 'stripe';
import { DataSource } from 'typeorm';
import { Invoice, InvoicePayment, InvoicePaymentLink } from './textbook-entities.js';

/**
 * The same two calls as most NestJS applications have them, after the guides of NestJS and TypeORM.
 * They use entities, ValidationPipe, passport-jwt, Stripe's own library for webhooks, and
 * `dataSource.transaction` with `findOne` under a pessimistic lock and a `save` each. It writes
 * *less* than the service: no events, no idempotency record, no provider event, and it has no log,
 * metrics or rate limit. One thing is better than in the guides: the JWT secret is a KeyObject,
 * because with a string every verification derives the key again.
 */
const env = (name: string) => process.env[name] ?? '';
const key = createSecretKey(Buffer.from(env('BENCH_JWT_SECRET')));
const stripe = new Stripe('sk_test_unused');

class CreatePaymentDto {
  @IsInt()
  @Min(1)
  amount!: number;

  @IsIn(['card', 'bank_transfer', 'cash', 'other'])
  method!: string;

  @IsOptional()
  @IsString()
  @MaxLength(255)
  reference?: string;
}

@Injectable()
class JwtStrategy extends PassportStrategy(Strategy) {
  constructor() {
    super({
      jwtFromRequest: ExtractJwt.fromAuthHeaderAsBearerToken(),
      // Typed for strings and buffers; jsonwebtoken takes a KeyObject as well.
      secretOrKey: key as never,
    });
  }

  validate(payload: { sub: string }) {
    return { userId: payload.sub };
  }
}

@Injectable()
class PaymentsService {
  constructor(private readonly dataSource: DataSource) {}

  async create(invoiceId: string, dto: CreatePaymentDto): Promise<InvoicePayment> {
    return this.dataSource.transaction(async (manager) => {
      const invoice = await manager.findOne(Invoice, {
        where: { id: invoiceId },
        lock: { mode: 'pessimistic_write' },
      });
      if (!invoice) throw new NotFoundException();
      const amountPaid = Number(invoice.amountPaid) + dto.amount;
      if (amountPaid > Number(invoice.total)) throw new BadRequestException('amount exceeds due');
      const payment = manager.create(InvoicePayment, {
        ...dto,
        amount: String(dto.amount),
        invoice,
      });
      await manager.save(payment);
      invoice.amountPaid = String(amountPaid);
      invoice.status = amountPaid === Number(invoice.total) ? 'paid' : 'partially_paid';
      await manager.save(invoice);
      return payment;
    });
  }

  async settle(session: Stripe.Checkout.Session): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      const link = await manager.findOne(InvoicePaymentLink, {
        where: { id: session.metadata?.['payment_link_id'] ?? '' },
      });
      if (!link || link.status === 'paid') return;
      const invoice = await manager.findOne(Invoice, {
        where: { id: link.invoiceId },
        lock: { mode: 'pessimistic_write' },
      });
      if (!invoice) throw new NotFoundException();
      const amount = session.amount_total ?? 0;
      const amountPaid = Number(invoice.amountPaid) + amount;
      const reference = String(session.payment_intent);
      const sums = { amount: String(amount), method: 'card', reference };
      await manager.save(manager.create(InvoicePayment, { ...sums, invoice }));
      link.status = 'paid';
      await manager.save(link);
      invoice.amountPaid = String(amountPaid);
      invoice.status = amountPaid >= Number(invoice.total) ? 'paid' : 'partially_paid';
      await manager.save(invoice);
    });
  }
}

@Controller()
class PaymentsController {
  constructor(
    private readonly payments: PaymentsService,
    private readonly jwt: JwtService,
  ) {}

  @Post('invoices/:id/payments')
  @UseGuards(AuthGuard('jwt'))
  async create(@Param('id') id: string, @Body() dto: CreatePaymentDto) {
    return this.payments.create(id, dto);
  }

  @Post('webhook')
  @HttpCode(200)
  async webhook(
    @Req() request: RawBodyRequest<Request>,
    @Headers('stripe-signature') signature: string,
  ) {
    const raw = request.rawBody ?? Buffer.alloc(0);
    const event = stripe.webhooks.constructEvent(raw, signature, env('BENCH_WEBHOOK_SECRET'));
    if (event.type === 'checkout.session.completed') await this.payments.settle(event.data.object);
    return { status: 'ok' };
  }

  /** For the bench alone. */
  @Get('token')
  token() {
    return { access_token: this.jwt.sign({ sub: 'bench' }) };
  }

  @Get('readyz')
  ready() {
    return { status: 'ok' };
  }
}

@Module({
  imports: [
    PassportModule,
    JwtModule.register({ secret: env('BENCH_JWT_SECRET'), signOptions: { expiresIn: '1d' } }),
    TypeOrmModule.forRoot({
      type: 'postgres',
      url: env('DATABASE_URL'),
      entities: [Invoice, InvoicePayment, InvoicePaymentLink],
      synchronize: true,
      poolSize: Number(env('DATABASE_POOL_SIZE')),
    }),
  ],
  controllers: [PaymentsController],
  providers: [PaymentsService, JwtStrategy],
})
class TextbookModule {}

const app = await NestFactory.create(TextbookModule, { rawBody: true, logger: ['error', 'warn'] });
app.useGlobalPipes(new ValidationPipe({ whitelist: true, transform: true }));
await app.listen(Number(env('PORT')), '127.0.0.1');
process.once('SIGTERM', () => process.exit(0));
