import { encode } from 'uqr';

export type QrCode = ReturnType<typeof encode>;

/** Level M: 15 % of the code may be unreadable (ISO/IEC 18004). The border is counted in modules. */
export const qrCode = (text: string, border: number): QrCode => encode(text, { ecc: 'M', border });

/**
 * Prints a code into a square, in points, as one path with its dark modules of a row joined: with a rectangle each,
 * lines shine through between them.
 */
export function printCode(
  doc: PDFKit.PDFDocument,
  { data, size }: QrCode,
  { x, y, side }: { x: number; y: number; side: number },
): void {
  const unit = side / size;
  doc.fillColor('#000000');
  for (let row = 0; row < size; row++)
    for (let from = 0; from < size; from++) {
      if (!data[row]?.[from]) continue;
      let to = from;
      while (data[row]?.[to]) to++;
      doc.rect(x + from * unit, y + row * unit, (to - from) * unit, unit);
      from = to;
    }
  doc.fill();
}
