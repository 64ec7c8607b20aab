import { DEFAULT_BP_PER_CM } from '../../tables/linkage-map/linkage-map-template.ts';
import { csvCell } from '../../text/csv-cell.ts';
import type { LineWriter } from '../../text/line-writer.ts';
import { compareChromosomes } from './chromosome-order.ts';
import { type MarkerColumns, UNKNOWN_ALLELE } from './marker-columns.ts';
import type { AlleleOrder } from './packed-calls.ts';

/** Decimals of a position in cM made from base pairs. */
const DECIMALS_OF_CM = 6;

/** Markers of one chromosome, in natural order of their names. */
export interface Contig {
  name: string;
  markerCount: number;
  /** Largest position in base pairs. */
  lastPositionBp: number;
}

/** A list beside a `.bed`, and the function that writes its file. */
export interface PanelList {
  extension: string;
  write: (lines: LineWriter) => Promise<void>;
}

export interface PanelListsInput {
  samples: readonly string[];
  markers: MarkerColumns;
  /** Markers in the order of the `.bed`, null for file order. */
  order: Uint32Array | null;
  /** Of the columns of the `.bim`. */
  alleleOrder: AlleleOrder;
  /** Name of the file that was read, for the head of the linkage-map template. */
  sourceName: string;
}

/** `.bim`, `.fam` and the lists for people: samples, contigs, marker ids and a template of a linkage map. */
export function panelLists({ samples, markers, order, alleleOrder, sourceName }: PanelListsInput): PanelList[] {
  const { ids, positions } = markers;
  const [fifth, sixth] = alleleOrder === 'ref-first' ? [markers.a1, markers.a2] : [markers.a2, markers.a1];
  const eachMarker = async (lines: LineWriter, writeLine: (marker: number) => void) => {
    for (let i = 0; i < markers.count; i++) {
      writeLine(order === null ? i : order[i]);
      const block = lines.end();
      if (block !== undefined) await block;
    }
  };
  const all = async (lines: LineWriter, texts: Iterable<string>) => {
    for (const text of texts) {
      lines.text(text);
      await lines.end();
    }
  };
  return [
    {
      extension: 'bim',
      write: (lines) =>
        eachMarker(lines, (i) => {
          lines.text(markers.chromosomeAt(i));
          lines.text('\t');
          lines.bytes(ids.bytes, ids.startOf(i), ids.endOf(i));
          lines.text('\t0\t');
          lines.integer(positions.at(i));
          lines.text('\t');
          lines.text(bimAllele(fifth[i]));
          lines.text('\t');
          lines.text(bimAllele(sixth[i]));
        }),
    },
    {
      extension: 'fam',
      write: (lines) =>
        all(
          lines,
          samples.map((name) => `0\t${name}\t0\t0\t0\t-9`),
        ),
    },
    { extension: 'samples.csv', write: (lines) => all(lines, ['sample', ...samples.map(csvCell)]) },
    {
      extension: 'contigs.csv',
      write: (lines) =>
        all(lines, [
          'contig,markers,last_position_bp',
          ...contigsOf(markers).map(
            (contig) => `${csvCell(contig.name)},${contig.markerCount},${contig.lastPositionBp}`,
          ),
        ]),
    },
    {
      extension: 'snpids.csv',
      write: async (lines) => {
        await all(lines, ['snpid']);
        await eachMarker(lines, (i) => lines.cell(ids.bytes, ids.startOf(i), ids.endOf(i)));
      },
    },
    {
      extension: 'linkmaptemp.csv',
      write: async (lines) => {
        await all(lines, templateHead(sourceName));
        const chromosomes = markers.chromosomes.map(csvCell);
        await eachMarker(lines, (i) => {
          const positionBp = positions.at(i);
          lines.text(chromosomes[markers.chromosomeOf.at(i)]);
          lines.text(',');
          if (positionBp > 0) lines.integer(positionBp);
          lines.text(',');
          lines.cell(ids.bytes, ids.startOf(i), ids.endOf(i));
          lines.text(',');
          if (positionBp > 0) lines.decimal(positionBp, DECIMALS_OF_CM);
        });
      },
    },
  ];
}

export function contigsOf(markers: MarkerColumns): Contig[] {
  const contigs = markers.chromosomes.map((name) => ({ name, markerCount: 0, lastPositionBp: 0 }));
  for (let i = 0; i < markers.count; i++) {
    const contig = contigs[markers.chromosomeOf.at(i)];
    contig.markerCount++;
    contig.lastPositionBp = Math.max(contig.lastPositionBp, markers.positions.at(i));
  }
  return contigs.sort((a, b) => compareChromosomes(a.name, b.name));
}

/** PLINK writes 0 for an allele without a name. */
function bimAllele(allele: string): string {
  return allele === UNKNOWN_ALLELE ? '0' : allele;
}

function templateHead(sourceName: string): string[] {
  const source = sourceName.replaceAll(/[\r\n]/g, ' ');
  return [
    `# Linkage map template; linkMapPos in cM; linkMapPos = physPos / ${DEFAULT_BP_PER_CM} bp per cM; source: ${source}`,
    'chr,physPos,SNPid,linkMapPos',
  ];
}
