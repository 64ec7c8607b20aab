import { type FieldBookQuery, walked } from '@heterosis/contracts/data/field-books';
import type { ProjectTrait, TraitScale } from '@heterosis/contracts/people/traits';
import { createPdf, type Pdf } from '../../../platform/pdf/pdf-document.ts';
import { type PdfColumn, printHeading, printTable } from '../../../platform/pdf/pdf-table.ts';
import type { PrintedPlot, PrintedTrial } from './printed-trial.ts';
import { printMap } from './trial-map.ts';

/** Points of a column that is filled in by hand, and of the one for notes. */
const TRAIT_WIDTH = 52;
const NOTES_WIDTH = 90;
const ROW_HEIGHT = 19;
/** With more traits than these the pages of plots lie on their side. */
const UPRIGHT_TRAITS = 3;

/** The trial and its traits, its map, and its plots in the order of walking with room for values. */
export async function bookAsPdf(printed: PrintedTrial, query: FieldBookQuery): Promise<Uint8Array> {
  const { trial } = printed;
  const pdf = createPdf({
    title: `Field book of ${trial.name}`,
    size: query.page,
    date: new Date(trial.updated_at),
  });
  printFirstPage(pdf, printed);
  printMap(pdf, printed);
  printPlots(pdf, printed, query);
  return await pdf.bytes(`${trial.name} · ${trial.location_name} · ${trial.season}`);
}

function printFirstPage(pdf: Pdf, { trial, plots, traits }: PrintedTrial): void {
  pdf.addPage();
  const { location_name: place, season, latitude, longitude } = trial;
  const lines = [
    `${place}${latitude === null || longitude === null ? '' : ` (${latitude}°, ${longitude}°)`} · season ${season}`,
    [
      `${trial.entries} entries on ${plots.filter(({ entry }) => entry !== null).length} plots`,
      ...(trial.plot_width_m !== null && trial.plot_length_m !== null
        ? [`plots of ${trial.plot_width_m} m × ${trial.plot_length_m} m`]
        : []),
      ...(trial.sown_on === null ? [] : [`sown on ${trial.sown_on}`]),
      ...(trial.harvested_on === null ? [] : [`harvested on ${trial.harvested_on}`]),
    ].join(' · '),
    ...designLine(trial.design),
    ...(trial.description === null ? [] : trial.description.split('\n').slice(0, 4)),
  ];
  const y = printHeading(pdf, trial.name, lines);
  if (traits.length === 0) return;
  printTable(
    pdf,
    {
      columns: [
        { title: 'Trait' },
        { title: 'Unit' },
        { title: 'Values' },
        { title: 'How it is measured', stretches: true },
      ],
      rows: traits.map((trait) => [trait.name, trait.unit ?? '', valuesOf(trait.scale), trait.details ?? '']),
    },
    y + 6,
  );
}

function designLine(design: PrintedTrial['trial']['design']): string[] {
  if (design === null) return [];
  const { design: name } = design.request;
  const parts = [
    ...(typeof name === 'string' ? [`Design ${name}`] : []),
    `seed ${design.seed}`,
    ...(typeof design.efficiency === 'number' ? [`efficiency factor ${design.efficiency.toFixed(3)}`] : []),
  ];
  return [parts.join(' · ')];
}

/** What a scale takes, as somebody in the field reads it. */
export function valuesOf(scale: TraitScale | null): string {
  switch (scale?.kind) {
    case 'numeric':
    case 'integer': {
      const { min, max } = scale;
      const what = scale.kind === 'integer' ? 'whole numbers' : 'numbers';
      if (min !== null && max !== null) return `${what} ${min} to ${max}`;
      return min !== null ? `${what} from ${min}` : max !== null ? `${what} to ${max}` : what;
    }
    case 'categories':
      return scale.categories.map(({ value, label }) => (label === null ? value : `${value} ${label}`)).join(', ');
    case 'date':
      return 'date';
    case 'text':
      return 'text';
    default:
      return '';
  }
}

interface BookColumn extends PdfColumn {
  cell: (plot: PrintedPlot) => string | number | null;
}

/** The columns that some plot of the trial has something in. */
function plotColumns(plots: readonly PrintedPlot[], { all_plots }: FieldBookQuery): BookColumn[] {
  const right = { align: 'right' } as const;
  const columns: BookColumn[] = [
    { title: 'Plot', ...right, cell: ({ number }) => number },
    // The number already says it when plots are named by it.
    { title: 'Name', cell: ({ name, number }) => (name === String(number) ? null : name) },
    { title: 'Row', ...right, cell: ({ row }) => row },
    { title: 'Col', ...right, cell: ({ column }) => column },
    { title: 'Rep', ...right, cell: ({ replicate }) => replicate },
    { title: 'Block', ...right, cell: ({ block }) => block },
    { title: 'Entry', cell: ({ entry }) => entry },
    { title: 'Treatment', cell: ({ treatment }) => treatment },
    { title: 'Kind', cell: ({ kind }) => (kind === 'ENTRY' ? null : kind.toLowerCase()) },
  ];
  const printed = all_plots ? plots : plots.filter(({ entry }) => entry !== null);
  return columns.filter(({ cell }) => printed.some((plot) => cell(plot) !== null));
}

/** As many tables as the traits need: each has the columns of the plot, then those of traits that fit beside them. */
function printPlots(pdf: Pdf, { trial, plots, traits }: PrintedTrial, query: FieldBookQuery): void {
  const columns = plotColumns(plots, query);
  const walk = walked(plots, query);
  const cells = walk.map((plot) => columns.map(({ cell }) => String(cell(plot) ?? '')));
  const shape = traits.length > UPRIGHT_TRAITS ? 'landscape' : 'upright';
  const forTraits = pdf.areaOf(shape).width * 0.62 - NOTES_WIDTH;
  const atOnce = Math.max(1, Math.floor(forTraits / TRAIT_WIDTH));
  for (let first = 0; first === 0 || first < traits.length; first += atOnce) {
    const part = traits.slice(first, first + atOnce);
    pdf.addPage(shape);
    const of = traits.length > atOnce ? `, traits ${first + 1} to ${first + part.length} of ${traits.length}` : '';
    const y = printHeading(pdf, trial.name, [`${walk.length} plots ${WALKS[query.order]}${of}`]);
    printTable(
      pdf,
      {
        columns: [
          ...columns.map(({ title, align = 'left' }) => ({ title, align })),
          ...part.map((trait) => ({ title: headOf(trait), width: TRAIT_WIDTH })),
          { title: 'Notes', width: NOTES_WIDTH, stretches: true },
        ],
        ...{ rows: cells, hasGrid: true, rowHeight: ROW_HEIGHT, size: 8.5 },
        isShaded: (row) => walk[row]?.kind === 'CHECK',
      },
      y + 2,
    );
  }
}

const WALKS: Record<FieldBookQuery['order'], string> = {
  plot: 'by number',
  rows: 'row by row, each in one direction',
  columns: 'column by column, each in one direction',
  'serpentine-rows': 'row by row, there and back',
  'serpentine-columns': 'column by column, there and back',
};

const headOf = ({ name, unit }: ProjectTrait): string => (unit === null ? name : `${name} (${unit})`);
