import { Controller, Module, Param } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import {
  answerShape,
  type Caller,
  CallerOf,
  documentId,
  Documents,
  Get,
  QuittanceAdapter,
  QuittanceModule,
  useQuittance,
  z,
} from 'quittance';

const Dunning = answerShape('AcmeDunning', { document_id: z.string(), letter: z.string() });

/** A route of the application, with the tokens and the documents of Quittance. */
@Controller('acme/dunning')
class DunningController {
  constructor(private readonly documents: Documents) {}

  @Get(':id', 'documents:read', { summary: 'A letter about an invoice', answers: Dunning })
  async getDunning(@CallerOf() { accountId }: Caller, @Param('id') id: string) {
    const { number, total } = await this.documents.find(accountId, documentId(id));
    return { document_id: id, letter: `Please pay ${total.toString()} for ${number}.` };
  }
}

@Module({ imports: [QuittanceModule.forRoot()], controllers: [DunningController] })
class RootModule {}

const app = await NestFactory.create<NestExpressApplication>(RootModule, new QuittanceAdapter(), {
  logger: ['warn', 'error'],
});
useQuittance(app);
await app.listen(process.env['PORT'] ?? 3000);
process.once('SIGTERM', () => void app.close().then(() => process.exit(0)));
