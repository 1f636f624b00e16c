type Rgb = readonly [red: number, green: number, blue: number];

/** Shades of one colour that can be read, for paper and light pages, and for dark ones. */
export interface AccentShades {
  light: string;
  onLight: string;
  dark: string;
  onDark: string;
}

const BLACK: Rgb = [0, 0, 0];
const WHITE: Rgb = [255, 255, 255];
/** The least that WCAG 2.2 AA asks of text. */
const CONTRAST = 4.5;
/** Text stands on pages and sheets: these are those of each theme with the least contrast. */
const LIGHT_GROUND: Rgb = [0xf3, 0xf5, 0xf7];
const DARK_GROUND: Rgb = [0x1b, 0x23, 0x2b];

/** @param color `#rrggbb` */
export function accentShades(color: string): AccentShades {
  const given = rgbOf(color);
  const [light, dark] = [shade(given, LIGHT_GROUND, BLACK), shade(given, DARK_GROUND, WHITE)];
  // Both are far enough from the ground for the letters of the other theme.
  return {
    light: hex(light),
    onLight: hex(clearer(light)),
    dark: hex(dark),
    onDark: hex(clearer(dark)),
  };
}

/** The colour, or the first mixture of it with an end of the scale that has contrast enough. */
function shade(color: Rgb, ground: Rgb, end: Rgb): Rgb {
  for (let share = 0; share < 100; share += 1) {
    const mixed = color.map((part, at) =>
      Math.round(part + (((end[at] ?? 0) - part) * share) / 100),
    ) as unknown as Rgb;
    if (contrast(mixed, ground) >= CONTRAST) return mixed;
  }
  return end;
}

function clearer(ground: Rgb): Rgb {
  return contrast(WHITE, ground) >= contrast(BLACK, ground) ? WHITE : BLACK;
}

/** By WCAG 2.2, 1 to 21. @param one and other `#rrggbb` */
export function contrastOf(one: string, other: string): number {
  return contrast(rgbOf(one), rgbOf(other));
}

function contrast(one: Rgb, other: Rgb): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(color: Rgb): number {
  const [red = 0, green = 0, blue = 0] = color.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function rgbOf(color: string): Rgb {
  const value = Number.parseInt(color.slice(1), 16);
  return [value >> 16, (value >> 8) & 0xff, value & 0xff];
}

function hex(color: Rgb): string {
  return `#${color.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

/** Rules for pages with a light and a dark theme; none without a colour. */
export function accentStyle(color: string | null | undefined): string {
  if (!color) return '';
  const { light, onLight, dark, onDark } = accentShades(color);
  return (
    `\n:root { --accent: ${light}; --on-accent: ${onLight}; }\n` +
    `@media (prefers-color-scheme: dark) { :root { --accent: ${dark}; --on-accent: ${onDark}; } }`
  );
}
