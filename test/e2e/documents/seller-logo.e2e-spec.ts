import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import sharp from 'sharp';
import { SellerLogos } from '../../../src/documents/infrastructure/seller-logos.repository.js';
import type { SellerProfileBody } from '../../../src/documents/wire/seller.js';
import { uuidOf } from '../../../src/kernel/ids.js';
import type { TestClient } from '../../support/client.js';
import type { Answer } from '../../support/http.js';
import { aBomb, aNoisyPalette, aPhoto, aPng, aSheet } from '../../support/images.js';
import { startTestService, type TestService } from '../../support/service.js';
import { contentsOf, expectProblem } from '../expectations.js';

// Uploads of a logo: which are taken, what becomes of them, and how long they stay.

const LOGO = '/v1/finance/seller/logo';
const LARGEST_BYTES = 1_048_576;

const GIF = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';
const SVG = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">
  <image href="file:///etc/passwd"/></svg>`;

let service: TestService;
let client: TestClient;
let small: Buffer;
beforeAll(async () => {
  service = await startTestService();
  small = aPng({ width: 3, height: 2 });
});
afterAll(() => service.close());
beforeEach(async () => {
  client = await service.aClient();
});

const put = async (image: Buffer, type = 'image/png', headers = {}, by = client) =>
  by.put<SellerProfileBody>(LOGO, image, { 'content-type': type, ...headers });

/** The logo that is served after an upload. */
async function afterPutting(image: Buffer, type = 'image/png'): Promise<Answer> {
  const { status, body } = await put(image, type);
  expect([status, body.logo]).toEqual([200, expect.stringMatching(/^[0-9a-f]{64}$/)]);
  const served = await client.get(LOGO);
  expect([served.status, served.headers.get('content-type')]).toEqual([200, type]);
  expect(createHash('sha256').update(served.bytes).digest('hex')).toBe(body.logo);
  return served;
}

const key = (text: string) => ({ 'idempotency-key': text });
const half = (image: Buffer) => image.subarray(0, image.length / 2);
const padded = (image: Buffer, bytes: number) =>
  Buffer.concat([image, Buffer.alloc(bytes - image.length)]);
const pixelsOf = async (image: Buffer) => sharp(image).raw().toBuffer();

describe('a logo', () => {
  it('is not there at first, then what was uploaded, then not there again', async () => {
    expectProblem(await client.get(LOGO), 404, 'logo_not_found');
    await afterPutting(small);
    expect((await client.delete(LOGO)).status).toBe(204);
    expectProblem(await client.get(LOGO), 404, 'logo_not_found');
    expect((await client.delete(LOGO)).status).toBe(204);
  });

  it('keeps every pixel of a PNG, and its transparency', async () => {
    const png = aPng({
      width: 40,
      height: 30,
      colourAt: (x, y) => [x * 6, y * 8, 255 - x, (x + y) * 3],
    });
    const served = await afterPutting(png);
    expect((await pixelsOf(served.bytes)).equals(await pixelsOf(png))).toBe(true);
    expect(await sharp(served.bytes).metadata()).toMatchObject({ channels: 4, depth: 'uchar' });
  });

  it('is small too', async () => {
    const served = await afterPutting(aPng({ width: 1, height: 1 }));
    expect(await sharp(served.bytes).metadata()).toMatchObject({ width: 1, height: 1 });
  });

  it('has at most 4 megapixels', async () => {
    await afterPutting(await aSheet(2000, 2000));
    await afterPutting(await aSheet(2000, 2000, 'jpeg'), 'image/jpeg');
    const before = await contentsOf(service.database);
    for (const [width, height] of [
      [2000, 2050],
      [2001, 2000],
    ] as const) {
      expectProblem(await put(await aSheet(width, height)), 422, 'image_too_large');
      const jpeg = await put(await aSheet(width, height, 'jpeg'), 'image/jpeg');
      expectProblem(jpeg, 422, 'image_too_large');
    }
    expect(await contentsOf(service.database)).toEqual(before);
  });

  it('has at most 1 MB as it comes', async () => {
    await afterPutting(padded(small, LARGEST_BYTES));
    expectProblem(await put(padded(small, LARGEST_BYTES + 1)), 413, 'body_too_large');
  });

  it('has at most 1 MB as it is kept, with fewer pixels where colours need more', async () => {
    const palette = await aNoisyPalette(1000, 1000);
    expect(palette.length).toBeLessThan(LARGEST_BYTES);
    const { bytes } = await afterPutting(palette);
    expect(bytes.length).toBeLessThanOrEqual(LARGEST_BYTES);
    const { width, height } = await sharp(bytes).metadata();
    expect(width).toBe(height);
    expect(width).toBeLessThan(1000);
    expect(width).toBeGreaterThan(500);
  });

  it('stands upright and tells nothing of who took it, and where', async () => {
    const photo = await aPhoto(80, 40);
    for (const told of ['Exif', 'Erika Mustermann', 'her garden']) {
      expect([told, photo.includes(told)]).toEqual([told, true]);
    }
    const { bytes } = await afterPutting(photo, 'image/jpeg');
    for (const told of ['Exif', 'Erika', 'garden', 'ICC', 'http:']) {
      expect([told, bytes.includes(told)]).toEqual([told, false]);
    }
    const { orientation, width, height } = await sharp(bytes).metadata();
    expect({ orientation, width, height }).toEqual({
      orientation: undefined,
      width: 40,
      height: 80,
    });
    const pixels = await pixelsOf(bytes);
    const [top, bottom] = [pixels.subarray(0, 3), pixels.subarray(-3)];
    expect((top[0] ?? 0) - (top[2] ?? 0)).toBeGreaterThan(200);
    expect((bottom[2] ?? 0) - (bottom[0] ?? 0)).toBeGreaterThan(200);
  });

  it('carries nothing along: no text, no further frame, no archive behind it', async () => {
    const control = Buffer.alloc(8);
    control.writeUInt32BE(2, 0);
    const png = aPng({
      width: 3,
      height: 2,
      chunks: [
        ['tEXt', Buffer.from('Author\0Erika Mustermann')],
        ['eXIf', Buffer.from('MM\0*\0\0\0\u0008\0\0\0\0\0\0')],
        ['acTL', control],
      ],
    });
    const polyglot = Buffer.concat([png, Buffer.from('PK\u0003\u0004<script>alert(1)</script>')]);
    const { bytes } = await afterPutting(polyglot);
    for (const carried of ['Erika', 'eXIf', 'acTL', 'script', 'PK']) {
      expect([carried, bytes.includes(carried)]).toEqual([carried, false]);
    }
    expect((await pixelsOf(bytes)).equals(await pixelsOf(small))).toBe(true);
  });
});

describe('an upload', () => {
  const PNG = 'image/png';
  const JPEG = 'image/jpeg';

  it.each<[string, string, () => Promise<Buffer> | Buffer, string]>([
    ['a header of 50000 x 50000', PNG, () => aBomb(50_000, 50_000), 'image_too_large'],
    ['a header of 2^31 - 1 squared', PNG, () => aBomb(2 ** 31 - 1, 2 ** 31 - 1), 'invalid_image'],
    ['a header of no pixels', PNG, () => aBomb(0, 0), 'invalid_image'],
    ['a header of 100 x 100 with ten bytes', PNG, () => aBomb(100, 100), 'invalid_image'],
    ['half a PNG', PNG, async () => half(await aSheet(500, 500)), 'invalid_image'],
    ['half a JPEG', JPEG, async () => half(await aSheet(900, 900, 'jpeg')), 'invalid_image'],
    ['a PNG that says JPEG', JPEG, () => small, 'invalid_image'],
    ['a JPEG that says PNG', PNG, async () => aPhoto(80, 40), 'invalid_image'],
    ['a GIF', PNG, () => Buffer.from(GIF, 'base64'), 'invalid_image'],
    ['a WebP', PNG, async () => sharp(small).webp().toBuffer(), 'invalid_image'],
    ['an SVG', PNG, () => Buffer.from(SVG), 'invalid_image'],
    ['text', PNG, () => Buffer.from('hello'), 'invalid_image'],
    ['nothing but the signature', PNG, () => small.subarray(0, 8), 'invalid_image'],
    ['nothing', PNG, () => Buffer.alloc(0), 'invalid_image'],
  ])('is refused that is %s', async (_, type, image, code) => {
    await put(small);
    const before = await contentsOf(service.database);
    expectProblem(await put(await image(), type), 422, code);
    expect(await contentsOf(service.database)).toEqual(before);
  });

  it.each([
    'image/gif',
    'image/svg+xml',
    'application/json',
    'application/octet-stream',
    'text/html',
  ])('is refused as %s', async (type) => {
    const answer = await put(small, type);
    expectProblem(answer, 415, 'unsupported_media_type');
    expect(answer.headers.get('accept')).toBe('image/png, image/jpeg');
  });

  it('of another kind reaches no reader of images at all', async () => {
    const webp = await sharp(small).webp().toBuffer();
    await put(small);
    for (const image of [webp, Buffer.from(GIF, 'base64'), Buffer.from(SVG)]) {
      await expect(sharp(image).metadata()).rejects.toThrow('unsupported image format');
    }
  });

  it('is refused compressed', async () => {
    const answer = await put(small, 'image/png', { 'content-encoding': 'gzip' });
    expectProblem(answer, 415, 'unsupported_encoding');
  });

  it('of bytes is for the logo alone', async () => {
    const path = '/v1/finance/documents';
    const headers = {
      'content-type': 'image/png',
      authorization: `Bearer ${await client.bearer()}`,
    };
    const answer = await service.call(path, { method: 'POST', body: small, headers });
    expectProblem(answer, 415, 'unsupported_media_type');
  });

  it('needs the scope documents:write, and looking at it documents:read', async () => {
    await put(small);
    const reader = await service.aClient({ of: client, scopes: ['documents:read'] });
    const payer = await service.aClient({ of: client, scopes: ['payments:write'] });
    expect((await reader.get(LOGO)).status).toBe(200);
    expectProblem(await payer.get(LOGO), 403, 'insufficient_scope');
    expectProblem(await put(small, 'image/png', {}, reader), 403, 'insufficient_scope');
    expectProblem(await reader.delete(LOGO), 403, 'insufficient_scope');
  });
});

describe('the served logo', () => {
  it('is an image and nothing else to a browser, with the hash as its tag', async () => {
    const { body } = await put(small);
    const { headers, bytes } = await client.get(LOGO);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(bytes.length),
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-store',
      etag: `"${body.logo}"`,
    });
    const again = await client.get(LOGO, { 'if-none-match': `"other", W/"${body.logo}"` });
    expect([again.status, again.bytes.length]).toEqual([304, 0]);
    expect((await client.get(LOGO, { 'if-none-match': '"other"' })).status).toBe(200);
    const authorization = `Bearer ${await client.bearer()}`;
    const head = await service.call(LOGO, { method: 'HEAD', headers: { authorization } });
    expect([head.status, head.bytes.length]).toEqual([200, 0]);
    expect(head.headers.get('content-length')).toBe(String(bytes.length));
  });

  it('is another one for another account', async () => {
    const { body } = await put(small);
    const stranger = await service.aClient();
    expectProblem(await stranger.get(LOGO), 404, 'logo_not_found');
    const logos = service.app.get(SellerLogos);
    const [mine, theirs] = [client, stranger].map((one) => uuidOf('acc', one.accountId) ?? '');
    expect(await logos.find(mine ?? '', body.logo ?? '')).toMatchObject({ width: 3, height: 2 });
    expect(await logos.find(theirs ?? '', body.logo ?? '')).toBeUndefined();
    expect(await logos.find(mine ?? '', 'no hash')).toBeUndefined();
  });

  it('stays, for the documents that were issued with it', async () => {
    const first = (await put(small)).body.logo ?? '';
    const [draft, issued] = [await client.anInvoice({ issue: false }), await client.anInvoice()];
    expect(issued.seller.logo).toBe(first);
    const second = (await put(await aSheet(9, 9))).body.logo;
    expect(second).not.toBe(first);
    expect((await client.read(issued)).seller.logo).toBe(first);
    expect((await client.issue(draft)).seller.logo).toBe(second);
    await client.delete(LOGO);
    expect((await client.anInvoice()).seller.logo).toBeNull();
    expect((await client.read(issued)).seller.logo).toBe(first);
    const accountId = uuidOf('acc', client.accountId) ?? '';
    const kept = await service.app.get(SellerLogos).find(accountId, first);
    expect(await pixelsOf(kept?.image ?? Buffer.alloc(0))).toEqual(await pixelsOf(small));
  });

  it('is stored once, however often it comes', async () => {
    const answers = [await put(small), await put(await aSheet(9, 9)), await put(small)];
    expect(answers.map(({ body }) => body.version)).toEqual([2, 3, 4]);
    expect(answers[2]?.body.logo).toBe(answers[0]?.body.logo);
    const rows = await service.database.query('SELECT 1 FROM seller_logos WHERE account_id = $1', [
      uuidOf('acc', client.accountId),
    ]);
    expect(rows).toHaveLength(2);
  });
});

describe('If-Match on the logo', () => {
  it('is the tag of the logo', async () => {
    expectProblem(await put(small, 'image/png', { 'if-match': '*' }), 412, 'version_mismatch');
    const { body, headers } = await put(small);
    const tag = { 'if-match': headers.get('etag') ?? '' };
    expect(tag['if-match']).toBe(`"${body.logo}"`);
    expect((await put(await aSheet(9, 9), 'image/png', tag)).status).toBe(200);
    const before = await contentsOf(service.database);
    expectProblem(await put(small, 'image/png', tag), 412, 'version_mismatch');
    expectProblem(await client.delete(LOGO, tag), 412, 'version_mismatch');
    expectProblem(await client.delete(LOGO, { 'if-match': 'bare' }), 400, 'invalid_if_match');
    expect(await contentsOf(service.database)).toEqual(before);
    const other = (await client.get(LOGO)).headers.get('etag') ?? '';
    expect((await client.delete(LOGO, { 'if-match': `"x", ${other}` })).status).toBe(204);
  });
});

describe('an Idempotency-Key', () => {
  it('gets the answer to the same image again', async () => {
    const first = await put(small, 'image/png', key('logo'));
    const before = await contentsOf(service.database);
    const again = await put(small, 'image/png', key('logo'));
    expect([first.status, again.status, again.text]).toEqual([200, 200, first.text]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(await contentsOf(service.database)).toEqual(before);
  });

  it('is refused for another image, and for another type', async () => {
    await put(small, 'image/png', key('logo'));
    const before = await contentsOf(service.database);
    const [first, ...rest] = small;
    for (const [image, type] of [
      [await aSheet(9, 9), 'image/png'],
      // The same but for a byte that is no UTF-8: as text, both would be alike.
      [Buffer.from([(first ?? 0) - 1, ...rest]), 'image/png'],
      [small, 'image/jpeg'],
    ] as const) {
      expectProblem(await put(image, type, key('logo')), 422, 'idempotency_key_reused');
    }
    expect(await contentsOf(service.database)).toEqual(before);
  });

  it('removes once: a logo that came later stays', async () => {
    await put(small);
    expect((await client.delete(LOGO, key('gone'))).status).toBe(204);
    await put(small);
    const again = await client.delete(LOGO, key('gone'));
    expect([again.status, again.text]).toEqual([204, '']);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect((await client.get(LOGO)).status).toBe(200);
  });
});
