import {
  BED_MAGIC,
  HET,
  HOM_A1,
  HOM_A2,
  MISSING,
  packedLength,
} from '@heterosis/file-formats/genotype/panel/packed-calls';
import type { Asked } from './asked.ts';
import type { VariantRow } from './entities/variants.ts';
import type { BrapiScope } from './scope.ts';
import type { GenotypeStudy } from './studies.ts';

/** How calls are written: numbers as in a VCF, 0 for A1 and 1 for A2. */
export interface CallSpelling {
  expandHomozygotes: boolean;
  sepPhased: string;
  sepUnphased: string;
  unknownString: string;
}

export const callSpelling = (asked: Asked, expandsByDefault: boolean): CallSpelling => ({
  expandHomozygotes: asked.flag('expandHomozygotes') ?? expandsByDefault,
  sepPhased: asked.text('sepPhased') ?? '|',
  sepUnphased: asked.text('sepUnphased') ?? '/',
  unknownString: asked.text('unknownString') ?? '.',
});

/** Texts by call code. Stored calls have no phase. */
export function callTexts({ expandHomozygotes, sepUnphased, unknownString }: CallSpelling): string[] {
  const texts: string[] = [];
  texts[HOM_A1] = expandHomozygotes ? `0${sepUnphased}0` : '0';
  texts[HET] = `0${sepUnphased}1`;
  texts[HOM_A2] = expandHomozygotes ? `1${sepUnphased}1` : '1';
  texts[MISSING] = unknownString;
  return texts;
}

/** Bytes of packed calls that are read at once. */
const BYTES_AT_ONCE = 1 << 20;

/** The variants of a file one by one with their packed calls; neighbours are read together. */
export async function* packedCalls(
  { files }: Pick<BrapiScope, 'files'>,
  study: GenotypeStudy,
  variants: readonly VariantRow[],
): AsyncGenerator<{ variant: VariantRow; packed: Uint8Array; offset: number }> {
  const stride = packedLength(study.file.row_count ?? 0);
  const most = Math.max(1, Math.floor(BYTES_AT_ONCE / Math.max(1, stride)));
  for (let from = 0; from < variants.length; ) {
    const first = variants[from]?.place ?? 0;
    let count = 1;
    while (count < most && variants[from + count]?.place === first + count) count++;
    const packed = await files.calls(study.file, BED_MAGIC.length + first * stride, count * stride);
    for (let j = 0; j < count; j++) {
      const variant = variants[from + j];
      if (variant !== undefined) yield { variant, packed, offset: j * stride };
    }
    from += count;
  }
}

export const codeAt = (packed: Uint8Array, offset: number, column: number): number =>
  ((packed[offset + (column >> 2)] ?? 0) >> (2 * (column & 3))) & 3;
