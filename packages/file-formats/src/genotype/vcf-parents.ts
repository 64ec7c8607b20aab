import type { ByteSource } from '../byte-source.ts';
import { inflatedBytes } from '../compression/inflated-bytes.ts';

/** The two parents of a sample. */
export interface SampleParents {
  name: string;
  female: string;
  male: string;
}

/** A line `##PEDIGREE` of the header of a VCF (VCFv4.3 specification, 1.4.9). */
export const parentsLine = ({ name, female, male }: SampleParents): string =>
  `##PEDIGREE=<ID=${fieldText(name)},Mother=${fieldText(female)},Father=${fieldText(male)}>`;

const fieldText = (value: string): string =>
  /[",<>=\\]/.test(value) ? `"${value.replace(/["\\]/g, (character) => `\\${character}`)}"` : value;

const PEDIGREE = /^##PEDIGREE=<(.*)>\s*$/;
const FIELD = /([A-Za-z_]+)=(?:"((?:[^"\\]|\\.)*)"|([^,]*))(?:,|$)/g;

/** The parents that a line names; null when it is none of mother and father. */
function parentsOf(line: string): SampleParents | null {
  const [, inside] = PEDIGREE.exec(line) ?? [];
  if (inside === undefined) return null;
  const fields = new Map(
    [...inside.matchAll(FIELD)].map(([, key = '', quoted, plain = '']) => [
      key,
      quoted?.replace(/\\(.)/g, '$1') ?? plain,
    ]),
  );
  const [name, female, male] = ['ID', 'Mother', 'Father'].map((key) => fields.get(key));
  return name && female && male ? { name, female, male } : null;
}

/** A header with the parents of 20,000 hybrids has some 3 MB. */
const MAX_HEADER_BYTES = 32_000_000;

/**
 * The parents of the samples of a VCF, plain or gzipped, as its header has them; samples of which the header says
 * nothing are absent. Reads the header only, and of that at most 32 MB. Other bytes than a VCF give nothing.
 *
 * @throws GzipError for a damaged stream
 */
export async function readVcfParents(source: ByteSource): Promise<SampleParents[]> {
  const parents: SampleParents[] = [];
  const decoder = new TextDecoder();
  let rest = '';
  let read = 0;
  for await (const chunk of inflatedBytes(source, { maxInflatedBytes: Number.MAX_SAFE_INTEGER })) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (!line.startsWith('##')) return parents;
      const found = parentsOf(line);
      if (found !== null) parents.push(found);
    }
    read += chunk.length;
    if (read > MAX_HEADER_BYTES || (rest.length > 1 && !rest.startsWith('##'))) return parents;
  }
  return parents;
}
