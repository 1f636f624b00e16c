export const LOGO_TYPES = ['image/png', 'image/jpeg'] as const;
export type LogoType = (typeof LOGO_TYPES)[number];

/** An image as we encoded it ourselves. */
export interface Logo {
  contentType: LogoType;
  width: number;
  height: number;
  image: Buffer;
  /** Of the image, hexadecimal: by this it is found. */
  sha256: string;
}

export const LARGEST_LOGO_PIXELS = 4_000_000;
export const LARGEST_LOGO_BYTES = 1_048_576;

/**
 * Decodes what somebody uploaded and encodes the pixels anew, upright and in sRGB. Nothing else of
 * the upload survives: no metadata, no further frame, nothing that stands behind the image.
 */
export abstract class LogoEncoder {
  /** @throws DomainError `invalid_image`, `image_too_large` */
  abstract encode(upload: Buffer, type: LogoType): Promise<Logo>;
}

/** For a page that may fetch nothing. */
export function dataUriOf({ contentType, image }: Pick<Logo, 'contentType' | 'image'>): string {
  return `data:${contentType};base64,${image.toString('base64')}`;
}
