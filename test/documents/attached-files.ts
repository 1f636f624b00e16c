import { deflateSync } from 'node:zlib';

// Files as people attach them, and as nobody should.

const PDF_OBJECTS = '1 0 obj\n<</Type /Catalog>>\nendobj\n';

export const aPdf = (objects = PDF_OBJECTS, tail = '%%EOF\n'): Buffer =>
  Buffer.from(`%PDF-1.7\n${objects}trailer\n<</Root 1 0 R>>\n${tail}`, 'latin1');

/** Objects that stand packed in a stream, so that a search of the file does not see them. */
export function aPdfWithPacked(
  objects: string | Buffer,
  dictionary = '/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode',
): Buffer {
  const packed = deflateSync(objects);
  return Buffer.concat([
    Buffer.from(`%PDF-1.7\n5 0 obj\n<<${dictionary} /Length ${packed.length}>>\nstream\n`),
    packed,
    Buffer.from('\nendstream\nendobj\ntrailer\n<</Root 1 0 R>>\n%%EOF\n'),
  ]);
}

interface Packed {
  content?: string;
  isEncrypted?: boolean;
  /** Its size by the list, unpacked. */
  bytes?: number;
}

/** A ZIP file that has these, none of them packed. */
export function aZip(files: Record<string, Packed>): Buffer {
  const [parts, list]: [Buffer[], Buffer[]] = [[], []];
  let at = 0;
  for (const [name, { content = '', isEncrypted = false, bytes }] of Object.entries(files)) {
    const flags = isEncrypted ? 1 : 0;
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(flags, 6);
    local.writeUInt32LE(content.length, 18);
    local.writeUInt32LE(bytes ?? content.length, 22);
    local.writeUInt16LE(name.length, 26);
    const part = Buffer.concat([local, Buffer.from(name + content, 'latin1')]);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(flags, 8);
    entry.writeUInt32LE(content.length, 20);
    entry.writeUInt32LE(bytes ?? content.length, 24);
    entry.writeUInt16LE(name.length, 28);
    entry.writeUInt32LE(at, 42);
    parts.push(part);
    list.push(entry, Buffer.from(name, 'latin1'));
    at += part.length;
  }
  const listed = Buffer.concat(list);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Object.keys(files).length, 8);
  end.writeUInt16LE(Object.keys(files).length, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...parts, listed, end]);
}

export const XLSX_PARTS = { '[Content_Types].xml': {}, 'xl/workbook.xml': {} };

export const ODS_PARTS = {
  mimetype: { content: 'application/vnd.oasis.opendocument.spreadsheet' },
  'content.xml': {},
  'META-INF/manifest.xml': {},
};
