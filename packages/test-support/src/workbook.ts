import { crc32, deflateRawSync } from 'node:zlib';

/** An XLSX workbook of one sheet. Texts that are numbers become numbers. */
export function workbookOf(rows: readonly (readonly string[])[]): Buffer {
  const cell = (text: string): string =>
    text === '' || Number.isNaN(Number(text))
      ? `<c t="inlineStr"><is><t>${escaped(text)}</t></is></c>`
      : `<c><v>${text}</v></c>`;
  const lines = rows.map((row) => `<row>${row.map(cell).join('')}</row>`);
  return zipped({
    'xl/workbook.xml': '<workbook><sheets><sheet name="Sheet" sheetId="1" r:id="rId1"/></sheets></workbook>',
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${lines.join('')}</sheetData></worksheet>`,
  });
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** A zip archive of texts (APPNOTE 6.3, sections 4.3.7, 4.3.12 and 4.3.16). */
function zipped(texts: Record<string, string>): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, text] of Object.entries(texts)) {
    const packed = deflateRawSync(text);
    // What both headers of a file say: version 2.0, deflated, checksum, sizes, length of the name.
    const entry = Buffer.alloc(26);
    entry.writeUInt16LE(20, 0);
    entry.writeUInt16LE(8, 4);
    entry.writeUInt32LE(crc32(text), 10);
    entry.writeUInt32LE(packed.length, 14);
    entry.writeUInt32LE(Buffer.byteLength(text), 18);
    entry.writeUInt16LE(name.length, 22);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00'), entry, place, Buffer.from(name)]));
    const file = Buffer.concat([Buffer.from('PK\x03\x04'), entry, Buffer.from(name), packed]);
    files.push(file);
    offset += file.length;
  }
  const end = Buffer.alloc(18);
  end.writeUInt16LE(directory.length, 4);
  end.writeUInt16LE(directory.length, 6);
  end.writeUInt32LE(Buffer.concat(directory).length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...files, ...directory, Buffer.from('PK\x05\x06'), end]);
}
