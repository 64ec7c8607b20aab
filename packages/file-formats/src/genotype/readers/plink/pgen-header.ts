import { FileFormatError } from '../../../problem.ts';
import { packedLength } from '../../panel/packed-calls.ts';
import type { ByteFeed } from '../byte-feed.ts';

// Format: C. Chang, PLINK 2 File Format Specification, https://github.com/chrchang/plink-ng/tree/master/pgen_spec

/** Variants that share an entry of the index, and of which none depends on another block. */
export const BLOCK_VARIANTS = 65_536;

/** Types and lengths of the records of a `.pgen`, in file order. */
export interface PgenIndex {
  variantCount: number;
  /** Bits of a type: see `readMainTrack`; for PLINK 1's records all are 0. */
  types: Uint8Array;
  /** Bytes. */
  lengths: Uint32Array;
  /** Records are those of a PLINK 1 `.bed`. */
  isBed: boolean;
  /** PLINK does not know which allele is the reference, of all variants or of some. */
  hasProvisionalReferences: boolean;
}

const MODES = { bed: 0x01, calls: 0x02, dosages: 0x03, variable: 0x10 } as const;

/** Reads the header of a `.pgen`. @throws FileFormatError `E-GT-PGEN`, `E-GT-TRIO` */
export async function readPgenHeader(
  feed: ByteFeed,
  expected: { samples: number; variants: number },
): Promise<PgenIndex> {
  const [first, second, mode] = await feed.take(3);
  if (first !== 0x6c || second !== 0x1b) throw badPgen('The .pgen file does not begin as one of PLINK does.');
  const { samples, variants } = expected;
  const fixed = (type: number, length: number): PgenIndex => ({
    variantCount: variants,
    types: new Uint8Array(variants).fill(type),
    lengths: new Uint32Array(variants).fill(length),
    isBed: mode === MODES.bed,
    hasProvisionalReferences: mode === MODES.bed,
  });
  if (mode === MODES.bed) return fixed(0, packedLength(samples));
  if (mode !== MODES.calls && mode !== MODES.dosages && mode !== MODES.variable) {
    const code = `0x${(mode ?? 0).toString(16).padStart(2, '0')}`;
    throw badPgen(`The .pgen file is stored in the mode ${code}, which is not read.`);
  }
  const sizes = Buffer.from(await feed.take(9));
  if (sizes.readUInt32LE(0) !== variants || sizes.readUInt32LE(4) !== samples) {
    throw new FileFormatError('E-GT-TRIO', {
      message: `The files do not belong together: the .pgen has ${sizes.readUInt32LE(0)} variants and ${sizes.readUInt32LE(4)} samples, the .pvar ${variants} and the .psam ${samples}.`,
      suggestion: 'Upload the three files of one export of PLINK 2.',
    });
  }
  const control = sizes[8] ?? 0;
  const flags = control >> 6;
  const hasProvisionalReferences = flags >= 2;
  if (mode !== MODES.variable) {
    if (flags === 3) await feed.take(Math.ceil(variants / 8));
    const isDosages = mode === MODES.dosages;
    const length = packedLength(samples) + (isDosages ? 2 * samples : 0);
    return { ...fixed(isDosages ? 0x40 : 0, length), hasProvisionalReferences };
  }
  return { ...(await readIndex(feed, control, expected)), hasProvisionalReferences };
}

async function readIndex(
  feed: ByteFeed,
  control: number,
  { samples, variants }: { samples: number; variants: number },
): Promise<PgenIndex> {
  const form = control & 15;
  if (form > 9) throw badPgen('The index of the .pgen file has a form that is not read.');
  const types = new Uint8Array(variants);
  const lengths = new Uint32Array(variants);
  const blocks = Math.ceil(variants / BLOCK_VARIANTS);
  const offsets = Buffer.from(await feed.take(8 * blocks));
  for (let block = 0; block < blocks; block++) {
    const from = block * BLOCK_VARIANTS;
    const count = Math.min(BLOCK_VARIANTS, variants - from);
    if (form >= 8) {
      // One sample: a record of more than its calls has alternatives after the first.
      const bits = form === 8 ? 2 : 4;
      const extra = await feed.take(Math.ceil((count * bits) / 8));
      for (let i = 0; i < count; i++) {
        const more = (extra[(i * bits) >> 3] >> ((i * bits) & 7)) & ((1 << bits) - 1);
        types[from + i] = more > 0 ? 8 : 0;
        lengths[from + i] = packedLength(samples) + more;
      }
    } else {
      const stored = await feed.take(form < 4 ? Math.ceil(count / 2) : count);
      for (let i = 0; i < count; i++) types[from + i] = form < 4 ? (stored[i >> 1] >> (4 * (i & 1))) & 15 : stored[i];
      const width = (form & 3) + 1;
      const bytes = Buffer.from(await feed.take(width * count));
      for (let i = 0; i < count; i++) lengths[from + i] = bytes.readUIntLE(i * width, width);
    }
    await feed.take(count * ((control >> 4) & 3));
    if (control >> 6 === 3) await feed.take(Math.ceil(count / 8));
  }
  checkOffsets(offsets, lengths, feed.taken);
  return { variantCount: variants, types, lengths, isBed: false, hasProvisionalReferences: false };
}

/** Records follow each other from the end of the header: where the index says otherwise, one of both is damaged. */
function checkOffsets(offsets: Buffer, lengths: Uint32Array, headerEnd: number): void {
  let at = headerEnd;
  for (let i = 0; i < lengths.length; i++) {
    if (i % BLOCK_VARIANTS === 0 && Number(offsets.readBigUInt64LE((8 * i) / BLOCK_VARIANTS)) !== at)
      throw badPgen('The index of the .pgen file does not fit its records.');
    at += lengths[i];
  }
}

export function badPgen(message: string, variant?: number): FileFormatError {
  return new FileFormatError('E-GT-PGEN', {
    line: null,
    value: variant === undefined ? null : `variant ${variant + 1}`,
    message,
    suggestion: 'Write the files again with: plink2 --make-pgen; or export a VCF with: plink2 --export vcf bgz.',
  });
}
