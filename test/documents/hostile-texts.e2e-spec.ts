import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { DocumentView } from '../../src/documents/domain/document-view.js';
import { NO_DETAILS } from '../../src/documents/domain/document-details.js';
import type { PaperLayout } from '../../src/documents/domain/printing/paper-layouts.js';
import { BLOCK_PLACES, TEXT_NAMES } from '../../src/documents/domain/printing/template.js';
import { pdfHtml } from '../../src/documents/infrastructure/printing/pdf-template.js';
import { PuppeteerPdfRenderer } from '../../src/documents/infrastructure/printing/puppeteer-pdf-renderer.js';
import { launch } from '../support/chromium.js';
import { textOf } from '../support/pdf-text.js';
import { aLine, aView } from './document-views.js';

// Every text of a document is hostile: nothing leaves, no file is read, and all of it is shown.

/** `U` is a server that must not be asked, `F` a file that must not be read. */
const PAYLOADS = `
<script>fetch('U')</script>
<script src=U></script>
<img src=U onerror=alert(1)>
<img src="F">
<iframe src=U></iframe>
<iframe src="F"></iframe>
<iframe srcdoc="<img src=U>">
<object data="F"></object>
<embed src="F">
<link rel=stylesheet href=U>
<link rel=prefetch href=U>
<style>@import url(U);</style>
<style>*{background:url(U)}</style>
</style><img src=U>
</title><img src=U>
</textarea><img src=U>
</script><img src=U>
</td></tr></table><img src=U>
<meta http-equiv=refresh content="0;U">
<base href=U>
<svg onload=fetch('U')>
<svg><image href=U /></svg>
<svg><use href="F#a"/></svg>
<math><mi xlink:href=U>x
<video src=U autoplay>
<audio src=U>
<source srcset=U>
<picture><img srcset=U></picture>
<input type=image src=U>
<form action=U><input autofocus>
<body background=U>
<table background=U>
<a href=U ping=U>x</a>
<portal src=U>
<template><img src=U></template>
<details open ontoggle=fetch('U')>
<marquee onstart=fetch('U')>
<!--<img src=U>-->
--><img src=U>
<![CDATA[<img src=U>]]>
<?xml-stylesheet href="U"?>
<!DOCTYPE x [<!ENTITY e SYSTEM "F">]>&e;
<!DOCTYPE x [<!ENTITY e SYSTEM "file:///dev/shm/quittance-1hp9GM/s-4cBVx0/a">]>&e;
&lt;img src=U&gt;
&#60;img src=U&#62;
&#x3c;script&#x3e;
"><img src=U>
' onmouseover=fetch('U') x='
\`\`><img src=U>
javascript:fetch('U')
data:text/html,<img src=U>
url(U)
}*{background:url(U)}
\\3c img src=U\\3e
'; content: url(U); '
*/ @import 'U'; /*
{{constructor.constructor('fetch(U)')()}}
\${fetch('U')}
<%= open('F') %>
#{7*7} {{7*7}} \${7*7} <%= 7*7 %>
) Tj ET BT (x) Tj
>> stream endstream endobj
%PDF-1.4 %%EOF startxref 0
/JavaScript (app.alert(1))
'; DROP TABLE documents; --
%s %n %x %d %p \\0 \\n \\u0041
= cmd|'/c calc'!A1
../../../../etc/passwd
`
  .trim()
  .split('\n');

const SECRET = 'a secret of this machine';

let renderer: PuppeteerPdfRenderer;
let server: Server;
let folder: string;
let asked: string[];
let payloads: string[];

beforeAll(async () => {
  renderer = new PuppeteerPdfRenderer({ launch });
  await renderer.warm();
  asked = [];
  server = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.end(SECRET);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  folder = await mkdtemp(join(tmpdir(), 's-'));
  await writeFile(join(folder, 'a'), SECRET);
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  payloads = PAYLOADS.map((payload) =>
    payload.replaceAll(/\bU\b/g, origin).replaceAll(/\bF\b/g, `file://${join(folder, 'a')}`),
  );
});

afterAll(async () => {
  await renderer.close();
  await new Promise((resolve) => server.close(resolve));
  await rm(folder, { recursive: true, force: true });
});

/** A document with a text wherever somebody may write one, and a number of its own behind each. */
function documentOf(said: string, layout: PaperLayout): DocumentView {
  let count = 0;
  const text = () => `${said}~${++count}~`;
  const place = () => ({
    address: [text(), text()],
    postal_code: text(),
    city: text(),
    region: text(),
    country: 'US',
  });
  const party = () => ({
    ...place(),
    name: text(),
    legal_name: text(),
    contact_name: text(),
    email: text(),
    phone: text(),
    tax_id: text(),
    tax_ids: [{ type: 'other', value: text() }],
    registration_id: text(),
    electronic_address: { scheme: '0088', value: text() },
  });
  const adjusted = () => ({
    discounts: [{ percent: '1', reason: text() }],
    charges: [{ percent: '1', reason: text() }],
  });
  return aView({
    seller: {
      ...party(),
      website: text(),
      template: {
        version: 1,
        accent_color: null,
        hidden_columns: [],
        carried_sums: false,
        layout,
        texts: TEXT_NAMES.map((name) => ({ name, language: null, text: text() })),
        footer: text(),
        blocks: BLOCK_PLACES.map((place) => ({
          place,
          language: null,
          heading: text(),
          text: text(),
        })),
      },
      bank_accounts: [
        { holder: text(), bank_name: text(), iban: 'DE89370400440532013000', bic: null },
      ],
    },
    customer: { ...party(), reference: text(), shipping_address: { ...place(), name: text() } },
    lines: [
      aLine({ description: text(), ...adjusted() }),
      aLine({ description: text(), taxRate: '0', taxCategory: 'E', exemptionReason: text() }),
    ],
    ...adjusted(),
    state: { number: text() },
    content: {
      notes: text(),
      purchaseOrder: text(),
      details: {
        ...NO_DETAILS,
        delivery: { ...place(), name: text() },
        project_reference: text(),
        contract_reference: text(),
        sales_order: text(),
        despatch_reference: text(),
        tax_representative: { ...place(), name: text(), tax_id: text() },
        payee: { name: text(), id: text(), registration_id: text() },
      },
    },
  });
}

const compact = (text: string) => text.replaceAll(/[\s\p{Default_Ignorable_Code_Point}]/gu, '');

/** The numbers of the texts that a PDF shows in full. */
function shownIn(pdf: Buffer, said: string): number[] {
  const all = compact(textOf(pdf));
  return Array.from({ length: 150 }, (_, at) => at + 1).filter((number) =>
    all.includes(compact(`${said}~${number}~`)),
  );
}

/** On one long page, so that none of them is parted by the end of a page. */
const print = (said: string, layout: PaperLayout) =>
  renderer.render(
    pdfHtml(documentOf(said, layout)).replaceAll(/size: (A4|letter)/g, 'size: 210mm 2500mm'),
  );

it.each<[PaperLayout]>([['standard'], ['us10']])(
  'a hostile text is shown wherever a plain one is, and does nothing: %s',
  async (layout) => {
    const plain = 'A very plain text';
    const places = shownIn(await print(plain, layout), plain);
    expect(places.length).toBeGreaterThan(50);
    expect(payloads.length).toBeGreaterThan(60);
    const wrong: [payload: string, places: number[]][] = [];
    for (const payload of payloads) {
      const pdf = await print(payload, layout);
      const shown = new Set(shownIn(pdf, payload));
      const missing = places.filter((place) => !shown.has(place));
      if (missing.length > 0 || textOf(pdf).includes(SECRET)) wrong.push([payload, missing]);
    }
    expect(wrong).toEqual([]);
    expect(asked).toEqual([]);
  },
);
