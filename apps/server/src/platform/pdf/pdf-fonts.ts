import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { create, type Font } from 'fontkit';

declare global {
  namespace PDFKit.Mixins {
    interface PDFFont {
      /** Takes a font that is read, too. */
      registerFont(name: string, font: Font): this;
    }
  }
}

export type FontName = 'regular' | 'bold';

const { resolve } = createRequire(import.meta.url);
/** Inter has Latin with its extensions, Greek and Cyrillic (decision 40). */
const FONTS: Record<FontName, string> = {
  regular: resolve('@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf'),
  bold: resolve('@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf'),
};

const read = new Map<FontName, Font>();

/**
 * A font for one document. To read its tables takes ten times as long as to print a page with it, so a process does it
 * once. Its glyphs are its own: a glyph keeps the characters for which it was first asked, and what is copied from a
 * document would depend on those printed before.
 */
function fontOf(name: FontName): Font {
  const font = read.get(name) ?? create(readFileSync(FONTS[name]));
  read.set(name, font);
  return Object.create(font, { _glyphs: { value: {} } }) as Font;
}

/** Gives a document its fonts. */
export function registerFonts(doc: PDFKit.PDFDocument): void {
  for (const name of Object.keys(FONTS) as FontName[]) doc.registerFont(name, fontOf(name));
}
