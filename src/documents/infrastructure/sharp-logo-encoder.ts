import { createHash } from 'node:crypto';
import type { Sharp, SharpOptions } from 'sharp';
import { DomainError } from '../../kernel/domain-error.js';
import {
  LARGEST_LOGO_BYTES,
  LARGEST_LOGO_PIXELS,
  type Logo,
  LogoEncoder,
  type LogoType,
} from '../domain/parties/logo.js';
import { DocumentRefusal } from '../domain/refusals.js';

const TIMEOUT_SECONDS = 10;
/** A little less than the size asks for, so that the next attempt fits. */
const SHRINK = 0.95;

const FORMATS = { 'image/png': 'png', 'image/jpeg': 'jpeg' } as const;

type SharpModule = (input: Buffer, options: SharpOptions) => Sharp;

/** libvips, of which hostile bytes reach the readers of PNG and JPEG and no other. */
export class SharpLogoEncoder extends LogoEncoder {
  private loading?: Promise<SharpModule>;

  async encode(upload: Buffer, type: LogoType): Promise<Logo> {
    // A library of 20 MB: only who uploads a logo waits for it.
    const sharp = await (this.loading ??= load());
    const refused = invalidImage(type);
    try {
      // The header alone: a bomb is refused before a pixel of it has memory.
      const head = await sharp(upload, { limitInputPixels: false }).metadata();
      if (head.format !== FORMATS[type]) throw refused;
      if (head.width * head.height > LARGEST_LOGO_PIXELS) throw tooLarge(head);
      const { data, info } = await encodeWithinLimit(upright(sharp, upload), type);
      const sha256 = createHash('sha256').update(data).digest('hex');
      return { contentType: type, width: info.width, height: info.height, image: data, sha256 };
    } catch (error) {
      throw error instanceof DomainError ? error : refused;
    }
  }
}

async function load(): Promise<SharpModule> {
  const { default: sharp } = await import('sharp');
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: ['VipsForeignLoadPng', 'VipsForeignLoadJpeg'] });
  sharp.cache(false);
  sharp.concurrency(1);
  return sharp;
}

function upright(sharp: SharpModule, upload: Buffer): Sharp {
  return sharp(upload, { limitInputPixels: LARGEST_LOGO_PIXELS, failOn: 'error' })
    .timeout({ seconds: TIMEOUT_SECONDS })
    .autoOrient()
    .toColourspace('srgb');
}

/** Colours that came as a palette, or as a coarser JPEG, may need more bytes: then fewer pixels. */
async function encodeWithinLimit(image: Sharp, type: LogoType) {
  const encoder =
    type === 'image/png' ? image.png() : image.jpeg({ quality: 90, chromaSubsampling: '4:4:4' });
  for (let attempt = encoder; ;) {
    const result = await attempt.toBuffer({ resolveWithObject: true });
    if (result.data.length <= LARGEST_LOGO_BYTES) return result;
    const scale = Math.sqrt(LARGEST_LOGO_BYTES / result.data.length) * SHRINK;
    const [width, height] = [result.info.width, result.info.height].map((pixels) =>
      Math.max(1, Math.floor(pixels * scale)),
    );
    attempt = encoder.clone().resize({ width, height, fit: 'fill' });
  }
}

function invalidImage(type: LogoType): DomainError {
  const name = FORMATS[type].toUpperCase();
  const detail = `The body is no ${name} that can be read to its end.`;
  return DocumentRefusal.invalid_image.of(detail);
}

function tooLarge({ width, height }: { width: number; height: number }): DomainError {
  return DocumentRefusal.image_too_large.of(
    `The image has ${width} x ${height} pixels; send one of at most ${LARGEST_LOGO_PIXELS}.`,
  );
}
