import { RequestRefusal } from '../../platform/http/request-refusals.js';
import { Controller, Param, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Response } from 'express';
import { renderToString } from 'preact-render-to-string';
import { publicId, uuidOf } from '../../kernel/ids.js';
import { Config } from '../../platform/config/config.js';
import { Get } from '../../platform/http/route.js';
import { Letters } from '../application/letters.service.js';
import type { LetterToSend } from '../domain/letter.js';
import { showsMail } from '../domain/mail-sender.js';
import { type Message } from '../domain/message.js';
import { MessagesQuery } from '../infrastructure/messages.query.js';
import { MailRefusal } from '../domain/refusals.js';

const MOST_SHOWN = 50;
const LIST_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";
const LETTER_POLICY = `${LIST_POLICY}; img-src data:`;
const STYLE =
  'body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem } ' +
  'table { border-collapse: collapse; width: 100% } td, th { text-align: start; padding: .4rem .8rem .4rem 0; vertical-align: top }';

/**
 * The messages that a demo would send, where it has no mail server: nobody gets them, and everybody
 * who reaches this machine may look.
 */
@ApiExcludeController()
@Controller('mail')
export class DemoMailController {
  constructor(
    private readonly query: MessagesQuery,
    private readonly letters: Letters,
    private readonly config: Config,
  ) {}

  @Get('', 'public', { summary: 'The messages of the demo', answers: { text: ['text/html'] } })
  async list(@Res() response: Response) {
    this.assertDemo();
    const messages = await this.query.newest(MOST_SHOWN);
    const shown = await Promise.all(
      messages.map(async (one) => [one, await this.letterOf(one)] as const),
    );
    response.setHeader('Content-Security-Policy', LIST_POLICY);
    response.type('html').send(`<!doctype html>${renderToString(<MailPage shown={shown} />)}`);
  }

  @Get(':id', 'public', { summary: 'One of them', answers: { text: ['text/html'] } })
  async read(@Param('id') id: string, @Res() response: Response) {
    this.assertDemo();
    const uuid = uuidOf('msg', id);
    if (!uuid) throw MailRefusal.message_not_found.of();
    const page = await this.letters.pageOf(await this.query.findAny(uuid));
    response.setHeader('Content-Security-Policy', LETTER_POLICY);
    response.type('html').send(page);
  }

  private async letterOf(message: Message): Promise<LetterToSend> {
    return this.letters.write(message, await this.letters.documentOf(message), false);
  }

  private assertDemo(): void {
    if (showsMail(this.config)) return;
    throw RequestRefusal.route_not_found.of();
  }
}

function MailPage({ shown }: { shown: readonly (readonly [Message, LetterToSend])[] }) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Mail of the demo</title>
        <style dangerouslySetInnerHTML={{ __html: STYLE }} />
      </head>
      <body>
        <main>
          <h1>Mail of the demo</h1>
          <p>
            No mail server is configured, so nothing is sent. This is what would be, newest first.
          </p>
          {shown.length === 0 && <p>Nothing yet: send a document, and look again.</p>}
          {shown.length > 0 && (
            <table>
              <thead>
                <tr>
                  <th scope="col">Asked for</th>
                  <th scope="col">To</th>
                  <th scope="col">Subject</th>
                  <th scope="col">Attached</th>
                </tr>
              </thead>
              <tbody>
                {shown.map(([{ id, createdAt, recipients }, { subject, attachments }]) => (
                  <tr key={id}>
                    <td>{createdAt.toISOString()}</td>
                    <td>{recipients.join(', ')}</td>
                    <td>
                      <a href={`/mail/${publicId('msg', id)}`}>
                        <bdi>{subject}</bdi>
                      </a>
                    </td>
                    <td>{attachments.map(({ name }) => name).join(', ')}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
        </main>
      </body>
    </html>
  );
}
