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

/** Texts by ploidy, then by copies of A2, and by {@link NO_CLASS} of a missing call. */
export type CallTexts = readonly (readonly string[])[];

/**
 * How the calls of a file are written. Stored calls have no phase.
 *
 * @param inPlace the text of a call where it stands
 */
export function callTexts(
  { expandHomozygotes, sepUnphased, unknownString }: CallSpelling,
  file: GenotypeStudy['file'],
  inPlace: (text: string) => string = (text) => text,
): CallTexts {
  const byPloidy: string[][] = [];
  const { ploidies = [{ ploidy: ploidyOf(file) }] } = file.meta.panel ?? {};
  for (const { ploidy } of ploidies) {
    const texts: string[] = [];
    for (let copies = 0; copies <= ploidy; copies++)
      texts[copies] = Array.from({ length: ploidy }, (_, k) => Number(k >= ploidy - copies)).join(sepUnphased);
    if (!expandHomozygotes) [texts[0], texts[ploidy]] = ['0', '1'];
    texts[NO_CLASS] = unknownString;
    byPloidy[ploidy] = texts.map(inPlace);
  }
  return byPloidy;
}

/** Calls that are unpacked at once. */
const CALLS_AT_ONCE = 1 << 21;

/**
 * The variants of a file one by one, with the text of the call of a sample by its column; neighbours are read together.
 */
export async function* callsOfVariants(
  { files }: Pick<BrapiScope, 'files'>,
  { file }: GenotypeStudy,
  variants: readonly VariantRow[],
  texts: CallTexts,
): AsyncGenerator<{ variant: VariantRow; callOf: (column: number) => string }> {
  const most = Math.max(1, Math.floor(CALLS_AT_ONCE / Math.max(1, file.row_count ?? 0)));
  for (let from = 0; from < variants.length; ) {
    const first = variants[from]?.place ?? 0;
    let count = 1;
    while (count < most && variants[from + count]?.place === first + count) count++;
    const calls = await files.calls(file, first, count);
    const copies = new Uint8Array(calls.panelSize);
    const callOf = (column: number): string => texts[calls.ploidyAt(column)]?.[copies[column] ?? NO_CLASS] ?? '';
    for (let j = 0; j < count; j++) {
      const variant = variants[from + j];
      if (variant === undefined) continue;
      dosageClasses(calls, j, { panelSize: calls.panelSize }, copies);
      yield { variant, callOf };
    }
    from += count;
  }
}
