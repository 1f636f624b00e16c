import type { Response } from 'express';
import { renderToString } from 'preact-render-to-string';
import {
  Blocks,
  askedOf,
  changeSentences,
  type DocumentView,
  Lines,
  Locale,
  Notes,
  Parties,
  paymentCodesFor,
  PaymentSection,
  printed,
  profileOf,
  Totals,
} from '../../documents/index.js';
import type { Money } from '../../kernel/money.js';
import { COPY_SCRIPT, COPY_SCRIPT_SOURCE } from './copy-script.js';
import { AcceptForm, RejectForm } from './portal-answer.js';
import { AttachmentLinks } from './portal-attachments.js';
import { Contact, PaymentsSoFar, Timeline } from './portal-history.js';
import type { OpenedPage } from '../application/portal-pages.service.js';
import type { PageProps, PortalPageProps, RefusedForm } from './portal-props.js';
import { PayButtons } from './portal-payment.js';
import { LanguageSwitch } from './language-switch.js';
import { Recurring } from './portal-recurring.js';
import { PortalHead } from './portal-head.js';
import { portalUrl, type SpokenPortal } from './portal-language.js';
import { may, stateOf, followUpOf } from './portal-state.js';
import { Sums } from './portal-sums.js';

const MOST_LINES_SHOWN = 12;
/** The PDF has the others: a page of megabytes helps nobody (decision 256). */
const MOST_LINES_ON_PAGE = 500;
const MOST_CHANGES_ON_PAGE = 100;

const PAGE_POLICY =
  `default-src 'none'; script-src ${COPY_SCRIPT_SOURCE}; style-src 'unsafe-inline'; ` +
  'font-src data:; img-src data:; ' +
  "form-action 'self' https:; base-uri 'none'; frame-ancestors 'none'";

/**
 * Sends the page. Its policy lets it show itself, copy bank details and send its forms, and nothing else. A form
 * that pays is led on to the provider, which a browser takes for a target of the form.
 */
export function sendPortalPage(
  response: Response,
  portal: SpokenPortal<OpenedPage>,
  token: string,
  notice?: string,
  refused?: RefusedForm,
): void {
  response.setHeader('Content-Security-Policy', PAGE_POLICY);
  response.type('html').send(portalPage({ ...portal, token, notice, refused }));
}

/** A document as its client sees it: a whole page that needs no script, all of its text escaped. */
export function portalPage(given: PortalPageProps): string {
  const { view, token, notice } = given;
  const paper = printed({ ...view, lines: view.lines.slice(0, MOST_LINES_ON_PAGE) }, isDue(view));
  const { texts, heading } = paper;
  const locale = Locale.of(view.language);
  const props: PageProps = { ...given, paper, locale };
  const page = renderToString(
    <html lang={paper.language} dir={locale.direction}>
      <PortalHead
        title={texts.documentFrom(heading, view.seller.name)}
        accent={paper.accentColor}
      />
      <body>
        <main>
          {notice && (
            <p class="sheet notice" role="status">
              {notice}
            </p>
          )}
          <Summary {...props} />
          {isAskedFor(given) && (
            <PaymentSection
              paper={paper}
              codes={paymentCodesFor(view, askedOf(view))}
              class="sheet payment"
              data-copy={texts.copy}
              data-copied={texts.copied}
            />
          )}
          <Rejection {...props} />
          <Answers {...props} />
          <Changes {...props} />
          <section class="sheet">
            <h2>{texts.items}</h2>
            <Blocks paper={paper} place="before_lines" class="block" />
            <FoldedLines {...props} />
            <Totals paper={paper} settled={settledRows(props)} />
          </section>
          {(isDue(view) || view.kind !== 'invoice') && (
            <Blocks paper={paper} place="after_totals" class="sheet" />
          )}
          <PaymentsSoFar {...props} />
          <Recurring {...props} />
          <section class="sheet parties">
            <Parties paper={paper} />
          </section>
          <Notes paper={paper} class="sheet" />
          <AttachmentLinks {...props} />
          <Blocks paper={paper} place="end" class="sheet" />
          <Timeline {...props} />
          <Contact {...props} />
          {paper.footer && <p class="soft footer">{paper.footer}</p>}
        </main>
        <LanguageSwitch token={token} locale={locale} />
        {isAskedFor(given) && paper.payment && (
          <script dangerouslySetInnerHTML={{ __html: COPY_SCRIPT }} />
        )}
      </body>
    </html>,
  );
  return `<!doctype html>${page}`;
}

/** Many lines wait until somebody wants them: the totals are what most came for. */
function FoldedLines({ paper, view, token }: Pick<PageProps, 'paper' | 'view' | 'token'>) {
  const count = view.lines.length;
  if (count <= MOST_LINES_SHOWN) return <Lines paper={paper} />;
  const all = paper.texts.allItems(`${count}`);
  return (
    <details class="fold">
      <summary>{all}</summary>
      <Lines paper={paper} />
      {count > MOST_LINES_ON_PAGE && (
        <p>
          … <a href={pdfUrl(token)}>{all} (PDF)</a>
        </p>
      )}
    </details>
  );
}

const pdfUrl = (token: string) => `/v1/portal/documents/${token}/pdf`;

function Answers({ view, token, asked, refused, paper: { texts, heading } }: PageProps) {
  const formOf = (step: 'accept' | 'reject') => ({
    texts,
    document: heading,
    url: portalUrl(token, `/${step}`, asked),
    refused: refused?.step === step ? refused : undefined,
  });
  return (
    <>
      {may('accept', view) && <AcceptForm {...formOf('accept')} />}
      {may('reject', view) && <RejectForm {...formOf('reject')} />}
    </>
  );
}

function Summary(props: PageProps) {
  const { view, paper, logo, locale, timeZone } = props;
  const { texts } = paper;
  const state = stateOf(view, texts);
  const { voided } = view.transitions;
  const successor = followUpOf(view, texts);
  return (
    <section class="sheet">
      <header>
        <div>
          {logo ? (
            <img class="logo" src={logo} alt={view.seller.name} />
          ) : (
            <p class="soft">
              <bdi>{view.seller.name}</bdi>
            </p>
          )}
          <h1>{paper.heading}</h1>
          {paper.relation && <p class="soft">{paper.relation}</p>}
          <p class={`state ${state.tone}`}>
            {voided ? texts.voidedOn(locale.instant(voided, timeZone)) : state.text}
          </p>
          {successor && <p>{successor}</p>}
        </div>
        <Sums {...props} />
      </header>
      <div class="actions">
        <PayButtons {...props} />
        {may('accept', view) && (
          <a class="button primary" href="#accept">
            {texts.accept(paper.heading)}
          </a>
        )}
        <a class="button" href={pdfUrl(props.token)}>
          {texts.viewPdf}
        </a>
        <EInvoiceButton {...props} />
      </div>
    </section>
  );
}

/** Only of documents that an e-invoice goes out with. */
function EInvoiceButton({ view, paper: { texts }, token }: PageProps) {
  const profile = profileOf(view);
  if (profile === null) return null;
  const file = profile === 'factur-x' ? 'pdf?profile=factur-x' : 'xml';
  return (
    <a class="button" href={`/v1/portal/documents/${token}/${file}`}>
      {texts.eInvoice} ({profile === 'factur-x' ? 'PDF' : 'XML'})
    </a>
  );
}

function Rejection({ view: { rejection }, paper: { texts }, locale, timeZone }: PageProps) {
  if (!rejection) return null;
  return (
    <section class="sheet">
      <h2>{texts.rejectedOn(locale.instant(rejection.at, timeZone))}</h2>
      <p class="pre" dir="auto">
        {rejection.reason}
      </p>
    </section>
  );
}

/** Tells readers of the version before what has changed. */
function Changes({ view, changes, paper: { texts } }: PageProps) {
  if (view.origin?.relation !== 'revision') return null;
  const sentences = changeSentences(changes, view);
  return (
    <section class="sheet">
      <h2>{texts.changes.heading}</h2>
      {sentences.length === 0 && <p>{texts.changes.nothing}</p>}
      <ul>
        {sentences.slice(0, MOST_CHANGES_ON_PAGE).map((sentence) => (
          <li key={sentence} dir="auto">
            {sentence}
          </li>
        ))}
        {sentences.length > MOST_CHANGES_ON_PAGE && <li>…</li>}
      </ul>
    </section>
  );
}

/**
 * The rows from the total to what is asked for: paid, refunded, waived, credited, and on its way. They begin with what
 * paper says came before the issue, whatever became of it.
 */
function settledRows({ view, credited, notCounted, paper: { texts }, locale }: PageProps) {
  const row = (name: string, amount: DocumentView['total']) => ({
    name,
    amount: locale.money(amount),
  });
  const ifAny = (name: string, amount: Money) => (amount.isZero() ? [] : [row(name, amount)]);
  if (view.kind === 'credit_note') {
    const { amountApplied, amountGivenBack, amountToCredit } = view;
    const [invoice, deducted] = [view.origin?.number, amountApplied.minus(amountGivenBack)];
    const hasOther = !amountGivenBack.isZero() || !amountToCredit.isZero();
    return [
      ...(invoice && !(deducted.isZero() && hasOther)
        ? [row(texts.deductedFrom(invoice), deducted)]
        : []),
      ...ifAny(texts.refunded, amountGivenBack),
      ...ifAny(texts.addedToCredit, amountToCredit),
    ];
  }
  if (!may('pay', view)) return [];
  return [
    row(texts.paid, view.amountPaid.plus(credited).plus(notCounted)),
    ...ifAny(texts.notCounted, notCounted.negated()),
    ...ifAny(texts.refunded, view.amountRefunded),
    ...ifAny(texts.waived, view.amountWaived),
    ...ifAny(texts.credited, view.amountCredited),
    ...ifAny(texts.addedToCredit, credited),
    ...ifAny(texts.notAskedAgain, view.amountUndecided),
    ...ifAny(texts.onItsWay, view.amountProcessing),
    { ...row(texts.amountDue, askedOf(view)), isResult: true },
  ];
}

/** Bank details would invite to pay what will be debited, or is on its way. */
function isAskedFor({ view, collection }: PortalPageProps): boolean {
  return isDue(view) && collection === null;
}

function isDue(view: DocumentView): boolean {
  return may('pay', view) && askedOf(view).isPositive();
}
