import { codeTexts } from '../../text/code-texts.ts';
import type { LineBuffer } from '../../text/line-buffer.ts';
import {
  type DosageValues,
  dosageText,
  dosageTextOf,
  MISSING_DOSAGE,
  MISSING_POLYPLOID,
  nearestCall,
  POLYPLOID_UNITS,
} from '../panel/dosages.ts';
import type { GenotypePanel, MarkerTable } from '../panel/genotype-panel.ts';
import { lineChunks, packedMarkers } from './marker-blocks.ts';

const LEAD = ['#CHROM', 'POS', 'ID', 'REF', 'ALT', 'QUAL', 'FILTER', 'INFO', 'FORMAT'];
/** By the two bits of a call. */
const CALL_TEXTS = ['\t0/0', '\t./.', '\t0/1', '\t1/1'];
const CALLS = codeTexts(CALL_TEXTS);
const DS_META = '##FORMAT=<ID=DS,Number=A,Type=Float,Description="Dosage of the alternative allele">';

/** A VCF of genotypes alone. */
export interface VcfContent {
  samples: readonly string[];
  /** REF = A1, ALT = A2; a position that is not known is 0. */
  markers: MarkerTable;
  /** Further lines of the header, each beginning with `##`. */
  meta?: Iterable<string>;
  /** The markers to write, in their order. */
  rows: AsyncIterable<VcfRow> | Iterable<VcfRow>;
}

export interface VcfRow {
  /** Place in `markers`. */
  marker: number;
  /** FORMAT of the row; `GT` unless told. */
  format?: string;
  /** Writes one call a sample, each after a tab: `\t0|1\t1|1…`. */
  writeCalls(lines: LineBuffer): void;
}

/**
 * A panel as VCF 4.2: REF = A1, ALT = A2, unphased (a `.bed` knows no phase), GT and, at markers with fractional
 * dosages, DS; polyploids with as many alleles a call as they have copies. A position that is not known is 0. Bytes of
 * text; compress them with `deflateBgzf` for a `.vcf.gz`.
 * Source: VCFv4.2 specification (hts-specs).
 */
export function writeVcf(panel: GenotypePanel): AsyncGenerator<Uint8Array> {
  return writeVcfRows({
    samples: panel.samples,
    markers: panel.markers,
    rows: panelRows(panel),
    meta: panel.dosages === undefined ? [] : [DS_META],
  });
}

/** VCF 4.2 from calls that somebody else writes, phased or not; bytes as {@link writeVcf} gives them. */
export function writeVcfRows(content: VcfContent): AsyncGenerator<Uint8Array> {
  return lineChunks((lines) => vcfLines(lines, content));
}

async function* vcfLines(lines: LineBuffer, { samples, markers, meta = [], rows }: VcfContent): AsyncGenerator<void> {
  lines.text('##fileformat=VCFv4.2\n##source=Heterosis\n');
  for (const line of meta) lines.text(`${line}\n`);
  lines.text('##FORMAT=<ID=GT,Number=1,Type=String,Description="Genotype">\n');
  for (const contig of new Set(markers.chromosome)) lines.text(`##contig=<ID=${contig}>\n`);
  lines.text(`${[...LEAD, ...samples].join('\t')}\n`);
  for await (const { marker, writeCalls, format = 'GT' } of rows) {
    const lead = [
      markers.chromosome[marker],
      markers.positionBp[marker],
      markers.id[marker],
      markers.a1[marker],
      markers.a2[marker],
    ].join('\t');
    lines.text(`${lead}\t.\t.\t.\t${format}`);
    writeCalls(lines);
    lines.newLine();
    yield;
  }
}

async function* panelRows(panel: GenotypePanel): AsyncGenerator<VcfRow> {
  const { ploidy, ploidies } = panel.dosages ?? {};
  const calls = new Map([...new Set(ploidies ?? [ploidy ?? 2])].map((one) => [one, polyploidCalls(one)]));
  const callsOf = (sample: number): readonly string[] => calls.get(ploidies?.[sample] ?? ploidy ?? 2) ?? [];
  for await (const { marker, packed, units } of packedMarkers(panel)) {
    if (units !== undefined && ploidy !== undefined) {
      const hasFractions = units.some((one) => one !== MISSING_POLYPLOID && one % POLYPLOID_UNITS !== 0);
      yield {
        marker,
        ...(hasFractions ? { format: 'GT:DS' } : {}),
        writeCalls: (lines) => writePolyploids(lines, units, callsOf, hasFractions ? ploidy : null),
      };
    } else if (units === undefined)
      yield { marker, writeCalls: (lines) => lines.codes(packed, panel.samples.length, CALLS) };
    else yield { marker, format: 'GT:DS', writeCalls: (lines) => writeDosages(lines, units) };
  }
}

/** By copies of A2, and behind them a missing call. */
function polyploidCalls(ploidy: number): string[] {
  const call = (allele: (place: number) => string) =>
    `\t${Array.from({ length: ploidy }, (_, k) => allele(k)).join('/')}`;
  const calls = Array.from({ length: ploidy + 1 }, (_, copies) => call((k) => (k < ploidy - copies ? '0' : '1')));
  return [...calls, call(() => '.')];
}

/** @param ploidy null without DS */
function writePolyploids(
  lines: LineBuffer,
  units: DosageValues,
  callsOf: (sample: number) => readonly string[],
  ploidy: number | null,
): void {
  for (let i = 0; i < units.length; i++) {
    const one = units[i];
    const isMissing = one === MISSING_POLYPLOID;
    const calls = callsOf(i);
    lines.text(calls[isMissing ? calls.length - 1 : Math.round(one / POLYPLOID_UNITS)]);
    if (ploidy !== null) lines.text(isMissing ? ':.' : `:${dosageTextOf(one, ploidy)}`);
  }
}

function writeDosages(lines: LineBuffer, units: DosageValues): void {
  for (let i = 0; i < units.length; i++) {
    lines.text(CALL_TEXTS[nearestCall(units[i])]);
    lines.text(units[i] === MISSING_DOSAGE ? ':.' : `:${dosageText(units[i])}`);
  }
}
