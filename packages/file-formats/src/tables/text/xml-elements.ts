import type { FileFormatError } from '../../problem.ts';
import { damagedWorkbook } from './damaged-workbook.ts';

/**
 * The small part of XML that workbooks need: elements of one name, found in one pass. A pattern such as `<c>(.*?)</c>`
 * takes quadratic time on a file of unclosed `<c>` tags, which can be days.
 */
export interface XmlElement {
  /** As written between the name and the end of the tag, with a blank in front: ` r="A1" t="s"`. */
  attributes: string;
  /** Between the tags; undefined for `<c/>`. */
  content: string | undefined;
  /** Offsets of its first character, and of the first character after it. */
  start: number;
  end: number;
}

/**
 * Elements of one name in order; those inside another of the same name belong to its content.
 *
 * @throws FileFormatError `E-WORKBOOK` for one that is never closed
 */
export function* elementsOf(xml: string, name: string): Generator<XmlElement, void, undefined> {
  const opening = `<${name}`;
  const closing = `</${name}>`;
  for (let at = 0; ; ) {
    const start = openingTag(xml, opening, at);
    if (start < 0) return;
    const tagEnd = xml.indexOf('>', start);
    const isEmpty = xml[tagEnd - 1] === '/';
    const close = isEmpty || tagEnd < 0 ? tagEnd : xml.indexOf(closing, tagEnd);
    if (close < 0) throw neverClosed(xml.slice(start, start + SHOWN_LENGTH));
    at = isEmpty ? tagEnd + 1 : close + closing.length;
    yield {
      attributes: xml.slice(start + opening.length, isEmpty ? tagEnd - 1 : tagEnd),
      content: isEmpty ? undefined : xml.slice(tagEnd + 1, close),
      start,
      end: at,
    };
  }
}

/** The first element of a name; undefined when there is none. */
export function firstElement(xml: string, name: string): XmlElement | undefined {
  return elementsOf(xml, name).next().value ?? undefined;
}

/** Of an element that is never closed, the characters that are shown. */
const SHOWN_LENGTH = 60;

const neverClosed = (start: string): FileFormatError => damagedWorkbook(`In its XML "${start}" is never closed.`);

/** The value of an attribute of a tag; empty without it. */
export function attribute(tag: string, name: string): string {
  const start = tag.indexOf(` ${name}="`);
  if (start < 0) return '';
  const from = start + name.length + 3;
  return tag.slice(from, tag.indexOf('"', from));
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/**
 * Text with the characters that its entities stand for. Entities of a document type are not known: a file of a few
 * bytes can make gigabytes of them.
 *
 * @throws FileFormatError `E-WORKBOOK` for any other, and for an & that is none
 */
export function decodeXml(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(
    /&(?:(?:#x([0-9a-fA-F]+)|#(\d+)|(\w+));)?/g,
    (whole, hex?: string, decimal?: string, name?: string) => {
      const code = hex !== undefined ? Number.parseInt(hex, 16) : Number(decimal);
      const character = name !== undefined ? ENTITIES[name] : code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
      if (character !== undefined) return character;
      throw damagedWorkbook(`The text "${text.slice(0, SHOWN_LENGTH)}" holds "${whole}", which XML does not know.`);
    },
  );
}

/** Where a tag of this name begins; `<c` is not the beginning of `<cols`. */
function openingTag(xml: string, opening: string, from: number): number {
  for (let at = xml.indexOf(opening, from); at >= 0; at = xml.indexOf(opening, at + 1)) {
    const next = xml[at + opening.length];
    if (next === undefined || /[\s/>]/.test(next)) return at;
  }
  return -1;
}

/** Some programs write `<x:row>` for `<row>`; the root shows the prefix. It must begin within this many characters. */
const ROOT_WITHIN = 65_536;

function prefixOf(xml: string, root: string): string | undefined {
  const found = new RegExp(`<(\\w{1,32}:)?${root}[\\s/>]`).exec(xml.slice(0, ROOT_WITHIN));
  return found === null ? undefined : (found[1] ?? '');
}

function strip(xml: string, prefix: string): string {
  return prefix === '' ? xml : xml.replaceAll(`<${prefix}`, '<').replaceAll(`</${prefix}`, '</');
}

/** The document without the namespace prefix of its root. */
export function withoutPrefix(xml: string, root: string): string {
  return strip(xml, prefixOf(xml, root) ?? '');
}

/** What may stand behind the end of a root, such as a comment, is shorter. */
const TAIL_LENGTH = 1000;

/** Extracts elements of one name from a document that arrives in chunks; only the incomplete one is held in memory. */
export class ElementStream {
  readonly #root: string;
  readonly #name: string;
  readonly #maxLength: number;
  #prefix: string | undefined;
  #buffer = '';
  /** How far the buffer has been searched for a closing tag. */
  #searched = 0;
  /** The last characters of the document so far. */
  #tail = '';

  constructor(root: string, name: string, maxLength: number) {
    this.#root = root;
    this.#name = name;
    this.#maxLength = maxLength;
  }

  /** Whether the root element was found so far. */
  get hasRoot(): boolean {
    return this.#prefix !== undefined;
  }

  /** True when the root element was not found where it must be: this is another kind of document. */
  get isForeign(): boolean {
    return !this.hasRoot && this.#buffer.length > ROOT_WITHIN;
  }

  /** True when the incomplete element is longer than the limit. */
  get isTooLong(): boolean {
    return this.#buffer.length > this.#maxLength;
  }

  /**
   * To be called when all chunks were taken.
   *
   * @throws FileFormatError `E-WORKBOOK` when the document ends inside an element, or before its root is closed
   */
  end(): void {
    const root = `${this.#prefix}${this.#root}`;
    if (openingTag(this.#buffer, `<${this.#prefix}${this.#name}`, 0) >= 0)
      throw neverClosed(this.#buffer.slice(0, SHOWN_LENGTH));
    const isClosed = this.#tail.includes(`</${root}>`) || new RegExp(`<${root}(?:\\s[^>]*)?/>\\s*$`).test(this.#tail);
    if (!isClosed) throw damagedWorkbook(`Its XML ends early: <${root}> is never closed.`);
  }

  /** The elements that this chunk completes, each from `<` to `>`, without prefix. */
  *take(piece: string): Generator<string, void, undefined> {
    this.#buffer += piece;
    this.#tail = (this.#tail + piece).slice(-TAIL_LENGTH);
    this.#prefix ??= prefixOf(this.#buffer, this.#root);
    if (this.#prefix === undefined) return;
    const { elements, rest } = this.#cut(`<${this.#prefix}${this.#name}`, `</${this.#prefix}${this.#name}>`);
    this.#buffer = rest;
    for (const element of elements) yield strip(element, this.#prefix);
  }

  #cut(opening: string, closing: string): { elements: string[]; rest: string } {
    const buffer = this.#buffer;
    const elements: string[] = [];
    let at = 0;
    for (;;) {
      const start = openingTag(buffer, opening, at);
      const tagEnd = start < 0 ? -1 : buffer.indexOf('>', start);
      if (tagEnd < 0) {
        this.#searched = 0;
        // A tag may begin in the last characters of a chunk.
        return { elements, rest: buffer.slice(start >= 0 ? start : Math.max(at, buffer.length - opening.length)) };
      }
      if (buffer[tagEnd - 1] === '/') {
        elements.push(buffer.slice(start, tagEnd + 1));
        at = tagEnd + 1;
        continue;
      }
      const close = buffer.indexOf(closing, Math.max(tagEnd, at === 0 ? this.#searched : 0));
      if (close < 0) {
        this.#searched = Math.max(0, buffer.length - start - closing.length);
        return { elements, rest: buffer.slice(start) };
      }
      this.#searched = 0;
      elements.push(buffer.slice(start, close + closing.length));
      at = close + closing.length;
    }
  }
}
