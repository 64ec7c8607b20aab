/** What `pdf-fonts.ts` uses of fontkit; the package has no types. */
declare module 'fontkit' {
  /** A font with its tables, which are read when they are first asked for. */
  export interface Font {
    /** Of this font, by number; each keeps the characters for which it was first asked. */
    _glyphs: object;
  }
  export function create(bytes: Uint8Array): Font;
}
