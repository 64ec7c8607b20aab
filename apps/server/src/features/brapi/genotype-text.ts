import { dosageClasses, NO_CLASS } from '@heterosis/statgen/genotypes/dosage-classes';
import { ploidyOf } from '../data/files/index.ts';
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

/** Texts by copies of A2, and by {@link NO_CLASS} of a missing call. Stored calls have no phase. */
export function callTexts(
  { expandHomozygotes, sepUnphased, unknownString }: CallSpelling,
  file: GenotypeStudy['file'],
): string[] {
  const ploidy = ploidyOf(file);
  const texts: string[] = [];
  for (let copies = 0; copies <= ploidy; copies++)
    texts[copies] = Array.from({ length: ploidy }, (_, k) => Number(k >= ploidy - copies)).join(sepUnphased);
  if (!expandHomozygotes) [texts[0], texts[ploidy]] = ['0', '1'];
  texts[NO_CLASS] = unknownString;
  return texts;
}

/** Calls that are unpacked at once. */
const CALLS_AT_ONCE = 1 << 21;

/** The variants of a file one by one with the copies of A2 of all samples; neighbours are read together. */
export async function* copiesOfVariants(
  { files }: Pick<BrapiScope, 'files'>,
  { file }: GenotypeStudy,
  variants: readonly VariantRow[],
): AsyncGenerator<{ variant: VariantRow; copies: Uint8Array }> {
  const most = Math.max(1, Math.floor(CALLS_AT_ONCE / Math.max(1, file.row_count ?? 0)));
  for (let from = 0; from < variants.length; ) {
    const first = variants[from]?.place ?? 0;
    let count = 1;
    while (count < most && variants[from + count]?.place === first + count) count++;
    const calls = await files.calls(file, first, count);
    const copies = new Uint8Array(calls.panelSize);
    for (let j = 0; j < count; j++) {
      const variant = variants[from + j];
      if (variant === undefined) continue;
      dosageClasses(calls, j, { panelSize: calls.panelSize }, copies);
      yield { variant, copies };
    }
    from += count;
  }
}
