import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { type ByteSource, openFileSource } from '@heterosis/file-formats/byte-source';
import type { FileProblem, ProblemReport } from '@heterosis/file-formats/problem';
import { readCrossingTable } from '@heterosis/file-formats/tables/crossing-table/read-crossing-table';
import { readGermplasm } from '@heterosis/file-formats/tables/germplasm/read-germplasm';
import { settleGermplasm } from '@heterosis/file-formats/tables/germplasm/settle-germplasm';
import { readLinkageMap } from '@heterosis/file-formats/tables/linkage-map/read-linkage-map';
import { readPedigree } from '@heterosis/file-formats/tables/pedigree/read-pedigree';
import { readPhenotype } from '@heterosis/file-formats/tables/phenotype/read-phenotype';
import type { AnalysisContext } from '../context.ts';
import { importGenotype } from '../genotype/import-genotype.ts';
import type { Counts, MadeType } from './moved-file.ts';

interface Checked {
  counts: Counts;
  problems: FileProblem[];
  isUsable: boolean;
}

/** Reads a file as the server will, and counts what is in it. Genotypes are unpacked at `scratch`. */
export async function checkMade(
  path: string,
  type: MadeType,
  scratch: string,
  context: AnalysisContext,
): Promise<Checked> {
  const source = await openFileSource(path);
  try {
    return await CHECKS[type](source, scratch, context);
  } finally {
    await source.close();
  }
}

type Check = (source: ByteSource, scratch: string, context: AnalysisContext) => Promise<Checked>;

const CHECKS: Record<MadeType, Check> = {
  GENOTYPE: checkGenotype,
  GERMPLASM: checkGermplasm,
  PHENOTYPE: async (source, _, context) => {
    const { table, report } = await readPhenotype(source, signalOf(context));
    return checked(report, table !== null, {
      lines: table?.individuals.length,
      traits: table?.traits.length,
      environments: table?.environments.length,
      values: table?.observations.reduce((sum, counts) => sum + counts.reduce((all, one) => all + one, 0), 0),
    });
  },
  PEDIGREE: async (source, _, context) => {
    const { table, report } = await readPedigree(source, signalOf(context));
    return checked(report, table !== null, { lines: table?.names.length });
  },
  CROSSING_TABLE: async (source, _, context) => {
    const { crosses, report } = await readCrossingTable(source, signalOf(context));
    return checked(report, crosses !== null, { crosses: crosses?.length });
  },
  LINKAGE_MAP: async (source, _, context) => {
    const { map, report } = await readLinkageMap(source, signalOf(context));
    return checked(report, map !== null, { markers: map?.markerId.length });
  },
  // Annotations are told by their content alone.
  GENES: () => Promise.resolve({ counts: {}, problems: [], isUsable: true }),
};

const signalOf = ({ signal }: AnalysisContext) => (signal === undefined ? {} : { signal });

async function checkGenotype(source: ByteSource, scratch: string, context: AnalysisContext): Promise<Checked> {
  const genotypes = { ...context.genotypes, polyploids: true };
  const read = await importGenotype(
    { source, outPrefix: scratch, withQc: false },
    { ...context, genotypes, onProgress: () => {} },
  );
  const { samples, markers } = read.panel ?? {};
  const isUnplaced = read.report.problems.some(({ code }) => code === 'W-GT-NO-POS');
  return checked(read.report, read.panel !== null, {
    samples,
    markers,
    ...(isUnplaced ? { 'markers without place': await unplacedIn(`${scratch}.bim`) } : {}),
  });
}

async function checkGermplasm(source: ByteSource, _: string, context: AnalysisContext): Promise<Checked> {
  const { rows, columns, report } = await readGermplasm(source, signalOf(context));
  if (rows === null) return checked(report, false, {});
  const settled = settleGermplasm(rows, { generateUnknownParents: true, columns });
  const isUsable = settled.report.totals.errors === 0;
  const created = settled.rows.filter(({ action }) => action === 'create');
  const withParents = created.filter(({ content }) => content.maternal !== null || content.paternal !== null);
  return {
    counts: isUsable
      ? {
          lines: created.length,
          ...withoutZero({ 'with parents': withParents.length, 'parents without a row': settled.founders.length }),
        }
      : {},
    problems: [...report.problems, ...settled.report.problems],
    isUsable,
  };
}

const withoutZero = (counts: Counts): Counts =>
  Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));

function checked(report: ProblemReport, isUsable: boolean, counts: Record<string, number | undefined>): Checked {
  const known = Object.entries(counts).flatMap(([name, count]) =>
    count === undefined ? [] : [[name, count] as const],
  );
  return { counts: isUsable ? Object.fromEntries(known) : {}, problems: report.problems, isUsable };
}

/** Markers of a .bim without a position. */
async function unplacedIn(path: string): Promise<number> {
  let count = 0;
  for await (const line of createInterface({ input: createReadStream(path) })) if (line.split('\t')[3] === '0') count++;
  return count;
}
