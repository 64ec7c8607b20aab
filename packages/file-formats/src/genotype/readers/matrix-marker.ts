import { columnLabel, type ProblemCollector } from '../../problem.ts';
import { UNKNOWN_ALLELE, UNKNOWN_CHROMOSOME } from '../panel/marker-columns.ts';
import { readPosition } from '../panel/marker-position.ts';
import { isMissingText } from './call-text.ts';
import type { MarkerPlaces } from './marker-list.ts';
import type { MatrixLayout } from './matrix-layout.ts';

/** Letters name seven alleles; of what else stands in the column the first are enough. */
const MAX_LISTED_ALLELES = 20;

/** A marker of the matrix: its place and alleles when the file tells them. */
export interface MatrixMarker {
  id: string;
  chromosome: string;
  positionBp: number;
  alleles: string[];
  /** The file names two alleles or more, be they the same. */
  isNamed: boolean;
  line: number;
}

interface Source {
  line: number;
  /** Places by marker id, from another file. */
  places: MarkerPlaces | undefined;
}

/** The marker of a row, by the cells before its calls. */
export function markerOfRow(
  cells: string[],
  { lead, header }: MatrixLayout,
  { line, places }: Source,
  problems: ProblemCollector,
): MatrixMarker {
  const id = lead.id < 0 ? '' : cells[lead.id];
  const place = places?.get(id);
  let chromosome = lead.chromosome < 0 ? (place?.chromosome ?? UNKNOWN_CHROMOSOME) : cells[lead.chromosome];
  if (isMissingText(chromosome)) chromosome = UNKNOWN_CHROMOSOME;
  let positionBp = place?.positionBp ?? 0;
  if (lead.position >= 0) {
    const column = columnLabel(header[lead.position], lead.position);
    positionBp = readPosition(cells[lead.position], { line, column, chromosome }, problems);
  }
  let alleles = place?.alleles ?? [];
  if (lead.ref >= 0 && lead.alt >= 0) alleles = [cells[lead.ref], cells[lead.alt]];
  else if (lead.alleles >= 0)
    alleles = cells[lead.alleles].split(/[/,|]/, MAX_LISTED_ALLELES).map((allele) => allele.trim());
  alleles = alleles.map((allele) => (isMissingText(allele) || allele === '0' ? UNKNOWN_ALLELE : allele));
  const isNamed = alleles.length > 1 && !alleles.includes(UNKNOWN_ALLELE);
  if (lead.ref < 0) alleles = [...new Set(alleles)];
  return { id, chromosome, positionBp, alleles, isNamed, line };
}

/** The marker that a column of the header names. */
export function markerOfColumn(id: string, { line, places }: Source): MatrixMarker {
  const place = places?.get(id);
  return {
    isNamed: place?.alleles?.includes(UNKNOWN_ALLELE) === false,
    id,
    chromosome: place?.chromosome ?? UNKNOWN_CHROMOSOME,
    positionBp: place?.positionBp ?? 0,
    alleles: place?.alleles ?? [],
    line,
  };
}
