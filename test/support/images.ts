import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';

// Images as uploads have them, good and hostile; PNG is put together by hand.

type Colour = [red: number, green: number, blue: number, alpha?: number];

interface PngWish {
  width: number;
  height: number;
  /** Of the pixel in this column and row; with an alpha value, the PNG has transparency. */
  colourAt?: (x: number, y: number) => Colour;
  /** Further chunks between header and pixels. */
  chunks?: [type: string, data: Buffer][];
}

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
const TRUE_COLOUR = 2;
const WITH_ALPHA = 6;

export function aPng({ width, height, colourAt = () => [0, 90, 160], chunks = [] }: PngWish) {
  const rows = Array.from({ length: height }, (_, y) => [
    0,
    ...Array.from({ length: width }, (_, x) => colourAt(x, y)).flat(),
  ]);
  const colourType = colourAt(0, 0).length === 4 ? WITH_ALPHA : TRUE_COLOUR;
  return Buffer.concat([
    SIGNATURE,
    header(width, height, colourType),
    ...chunks.map(([type, data]) => chunk(type, data)),
    chunk('IDAT', deflateSync(Buffer.from(rows.flat() as number[]))),
    chunk('IEND'),
  ]);
}

/** A header that promises this many pixels, and ten bytes of them. */
export function aBomb(width: number, height: number): Buffer {
  const pixels = chunk('IDAT', deflateSync(Buffer.alloc(10)));
  return Buffer.concat([SIGNATURE, header(width, height, TRUE_COLOUR), pixels, chunk('IEND')]);
}

/** One colour, of which a million pixels take a kilobyte. */
export async function aSheet(width: number, height: number, format: 'png' | 'jpeg' = 'png') {
  const create = { width, height, channels: 3 as const, background: '#005aa0' };
  return sharp({ create }).toFormat(format).toBuffer();
}

/** A palette of 256 colours in any order: as true colours, it needs more bytes than it came in. */
export async function aNoisyPalette(width: number, height: number): Promise<Buffer> {
  let seed = 1;
  const pixels = Buffer.from(
    Array.from({ length: width * height }, () => (seed = (seed * 48_271) % 2_147_483_647) >> 8),
  );
  const palette = Buffer.from(
    Array.from({ length: 256 }, (_, index) => [
      index,
      (index * 7) % 256,
      (index * 13) % 256,
    ]).flat(),
  );
  const rows = Array.from({ length: height }, (_, y) => [
    Buffer.alloc(1),
    pixels.subarray(y * width, (y + 1) * width),
  ]);
  const PALETTE_COLOUR = 3;
  return Buffer.concat([
    SIGNATURE,
    header(width, height, PALETTE_COLOUR),
    chunk('PLTE', palette),
    chunk('IDAT', deflateSync(Buffer.concat(rows.flat()), { level: 9 })),
    chunk('IEND'),
  ]);
}

/**
 * As a telephone takes it: the sensor saw red on the left and blue on the right, and was held so
 * that red is above. The photographer and the place stand in its metadata.
 */
export async function aPhoto(width: number, height: number): Promise<Buffer> {
  const half = { width: width / 2, height, channels: 3 as const };
  const right = await sharp({ create: { ...half, background: '#00f' } })
    .png()
    .toBuffer();
  const TURN_CLOCKWISE = 6;
  return sharp({ create: { ...half, width, background: '#f00' } })
    .composite([{ input: right, left: width / 2, top: 0 }])
    .withExif({
      IFD0: { Artist: 'Erika Mustermann' },
      IFD3: { GPSMapDatum: 'her garden', GPSLatitude: '52/1 31/1 12/1', GPSLatitudeRef: 'N' },
    })
    .withMetadata({ orientation: TURN_CLOCKWISE })
    .jpeg({ quality: 95 })
    .toBuffer();
}

function header(width: number, height: number, colourType: number): Buffer {
  const data = Buffer.alloc(13);
  data.writeUInt32BE(width, 0);
  data.writeUInt32BE(height, 4);
  data.writeUInt8(8, 8);
  data.writeUInt8(colourType, 9);
  return chunk('IHDR', data);
}

function chunk(type: string, data: Buffer = Buffer.alloc(0)): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
}
