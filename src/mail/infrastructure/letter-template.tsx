import { renderToString } from 'preact-render-to-string';
import { plainMarkup } from './letter-markup.js';
import type { Letter } from '../domain/letter.js';

// Programs that show mail know little of CSS, and drop style sheets: so each element has its own.
const FONT = 'font-family: "Segoe UI", Roboto, Helvetica, Arial, sans-serif';
const TEXT = `${FONT}; font-size: 16px; line-height: 24px; color: #1c2430; margin: 0 0 16px`;
const SMALL = `${FONT}; font-size: 13px; line-height: 20px; color: #5a6473; margin: 0`;

/** A letter as a page that mail programs show. Nothing is fetched: a logo is a part of it. */
export function letterHtml(letter: Letter): string {
  const { language, direction, subject, sellerName, logo, accent, button, refusal } = letter;
  const start = direction === 'rtl' ? 'right' : 'left';
  const page = renderToString(
    <html lang={language} dir={direction}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{subject}</title>
      </head>
      <body style="margin: 0; padding: 24px 12px; background-color: #f3f5f8">
        <table role="presentation" width="100%" cellpadding="0" cellspacing="0">
          <tr>
            <td align="center">
              <table
                role="presentation"
                width="100%"
                cellpadding="0"
                cellspacing="0"
                style={`max-width: 560px; background-color: #ffffff; border-radius: 8px; text-align: ${start}`}
              >
                <tr>
                  <td style="padding: 32px 28px">
                    {logo && (
                      <img
                        src={logo}
                        alt={sellerName}
                        height={40}
                        style="display: block; height: 40px; margin: 0 0 24px"
                      />
                    )}
                    <Words letter={letter} />
                    {button && (
                      <p style="margin: 24px 0">
                        <a
                          href={button.url}
                          style={`${FONT}; display: inline-block; padding: 12px 24px; border-radius: 6px; background-color: ${accent.ground}; color: ${accent.letters}; font-size: 16px; font-weight: 600; text-decoration: none`}
                        >
                          {button.text}
                        </a>
                      </p>
                    )}
                    {letter.closing && <p style={TEXT}>{letter.closing}</p>}
                    <p style={TEXT}>
                      <bdi>{sellerName}</bdi>
                    </p>
                    {refusal && (
                      <p style={SMALL}>
                        <a href={refusal.url} style="color: #5a6473">
                          {refusal.text}
                        </a>
                      </p>
                    )}
                  </td>
                </tr>
              </table>
            </td>
          </tr>
        </table>
      </body>
    </html>,
  );
  return `<!doctype html>${page}`;
}

function Words({ letter: { paragraphs, markup, quoted, facts } }: { letter: Letter }) {
  const [first, ...rest] = markup === undefined ? paragraphs : [];
  return (
    <>
      {markup && <div style={TEXT} dangerouslySetInnerHTML={{ __html: plainMarkup(markup) }} />}
      {[first ?? []].flat().map((text) => (
        <p key={text} style={TEXT}>
          {text}
        </p>
      ))}
      {quoted && (
        <p style={`${TEXT}; white-space: pre-wrap`}>
          <bdi>{quoted}</bdi>
        </p>
      )}
      {facts.length > 0 && (
        <table role="presentation" cellpadding="0" cellspacing="0" style="margin: 0 0 16px">
          {facts.map(({ name, value }) => (
            <tr key={name}>
              <td style={`${TEXT}; padding: 2px 0; padding-inline-end: 24px; color: #5a6473`}>
                {name}
              </td>
              <td style={`${TEXT}; padding: 2px 0; font-weight: 600`}>
                <bdi>{value}</bdi>
              </td>
            </tr>
          ))}
        </table>
      )}
      {rest.map((text) => (
        <p key={text} style={TEXT}>
          {text}
        </p>
      ))}
    </>
  );
}

/** The same without marks, for programs and people that want it so. */
export function letterText(letter: Letter): string {
  const { paragraphs, quoted, facts, button, closing, sellerName, refusal } = letter;
  const [first = '', ...rest] = paragraphs;
  const blocks = [
    first,
    quoted ?? '',
    facts.map(({ name, value }) => `${name}: ${value}`).join('\n'),
    ...rest,
    button ? `${button.text}:\n${button.url}` : '',
    closing,
    sellerName,
    refusal ? `${refusal.text}:\n${refusal.url}` : '',
  ];
  return `${blocks.filter(Boolean).join('\n\n')}\n`;
}
