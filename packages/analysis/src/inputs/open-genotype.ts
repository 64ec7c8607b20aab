import { access, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openFileSource } from '@heterosis/file-formats/byte-source';
import { ploidyOf } from '@heterosis/file-formats/genotype/panel/dosages';
import type { GenotypePanel } from '@heterosis/file-formats/genotype/panel/genotype-panel';
import type { AlleleOrder } from '@heterosis/file-formats/genotype/panel/packed-calls';
import type { PanelBlocks } from '@heterosis/file-formats/genotype/panel/panel-blocks';
import { type PanelSubset, subsetBlocks, subsetPanel } from '@heterosis/file-formats/genotype/panel/subset-panel';
import { countPloidies, noneOfPloidy, ploidiesInWords } from '@heterosis/file-formats/genotype/ploidies';
import { type FileProblem, fileProblem, type ProblemDetails } from '@heterosis/file-formats/problem';
import type { AnalysisContext } from '../context.ts';
import { openPanelBlocks, openPanelFiles } from './open-panel.ts';

/** Thrown for an unusable file; carries every problem found in it. */
export class FileRefused extends Error {
  readonly file: string;
  readonly problems: readonly FileProblem[];

  constructor(file: string, problems: readonly FileProblem[]) {
    super(problems.find((problem) => problem.severity === 'error')?.message ?? `${file} cannot be used`);
    this.name = 'FileRefused';
    this.file = file;
    this.problems = problems;
  }
}

export interface OpenedGenotype<Panel = GenotypePanel> {
  panel: Panel;
  /** Warnings and notes about the file; empty for a `.bed` prefix. */
  problems: readonly FileProblem[];
  /** Closes the panel and deletes its temporary files. */
  close(): Promise<void>;
}

/**
 * Opens a genotype on disk: a PLINK prefix (`panel` or `panel.bed`), or a file of any accepted format, which is first
 * imported into a temporary folder. A variant in two rows with ids of their own is then a warning. Throws {@link
 * FileRefused} with the problems of a bad file, and the system's error when it cannot be read.
 */
export async function openGenotype(path: string, context: AnalysisContext): Promise<OpenedGenotype> {
  return openWith({ open: openPanelFiles, subset: subsetPanel }, path, context);
}

/** Like {@link openGenotype}, for analyses that also read markers by blocks: memory does not grow with their number. */
export async function openGenotypeBlocks(path: string, context: AnalysisContext): Promise<OpenedGenotype<PanelBlocks>> {
  return openWith({ open: openPanelBlocks, subset: subsetBlocks }, path, context);
}

/** How a kind of panel is opened and restricted to some of its samples. */
interface Opener<Panel> {
  open(prefix: string, order: AlleleOrder): Promise<Panel>;
  subset(panel: Panel, subset: PanelSubset): Panel;
}

type OpenedCalls = Pick<GenotypePanel, 'samples' | 'dosages' | 'close'>;

/** Of a set that was imported before; a file of another format is restricted while it is read. */
function ofAskedPloidy<Panel extends OpenedCalls>(
  panel: Panel,
  { subset }: Opener<Panel>,
  path: string,
  wanted: number | undefined,
): Panel {
  const ploidies = panel.dosages?.ploidies;
  if (wanted === undefined || (ploidies === undefined && wanted === ploidyOf(panel))) return panel;
  const samples = Array.from(ploidies?.keys() ?? []).filter((sample) => ploidies?.[sample] === wanted);
  if (samples.length > 0) return subset(panel, { samples, markers: null });
  const counts = ploidies ?? [{ ploidy: ploidyOf(panel), samples: panel.samples.length }];
  throw refused(path, 'E-GT-PLOIDY', noneOfPloidy(wanted, counts));
}

/** Refuses plants that differ in ploidy where they are not taken. */
function requireOnePloidy({ dosages }: OpenedCalls, path: string, { genotypes }: AnalysisContext): void {
  const ploidies = dosages?.ploidies;
  if (ploidies === undefined || genotypes?.mixedPloidies === true) return;
  const [most] = countPloidies(ploidies).sort((a, b) => b.samples - a.samples);
  throw refused(path, 'E-GT-PLOIDY-MIX', {
    message: `The plants differ in ploidy: ${ploidiesInWords(ploidies)}; this needs plants of one ploidy.`,
    suggestion: `Take only the plants of one ploidy (heterosis --samples-of-ploidy ${most?.ploidy ?? 2}).`,
  });
}

const refused = (path: string, code: string, details: ProblemDetails): FileRefused =>
  new FileRefused(path, [fileProblem('error', code, details)]);

/** Of a set that was imported before; a file of another format is refused while it is read. */
function requireTaken(panel: OpenedCalls, path: string, context: AnalysisContext): void {
  const { genotypes } = context;
  requireOnePloidy(panel, path, context);
  const ploidy = ploidyOf(panel);
  const given = genotypes?.ploidy ?? ploidy;
  if (given === ploidy && (ploidy === 2 || genotypes?.polyploids === true)) return;
  const [message, suggestion] =
    given === ploidy
      ? [
          `The plants have ${ploidy} copies of each chromosome; only diploid genotypes can be analysed here.`,
          'Use diploid calls, or an analysis that takes polyploids.',
        ]
      : [
          `The plants have ${ploidy} copies of each chromosome, and the ploidy was given as ${given}.`,
          'Leave the ploidy out: the genotype tells it.',
        ];
  throw refused(path, 'E-GT-PLOIDY', { value: String(ploidy), message, suggestion });
}

async function openWith<Panel extends OpenedCalls>(
  opener: Opener<Panel>,
  path: string,
  context: AnalysisContext,
): Promise<OpenedGenotype<Panel>> {
  const prefix = await plinkPrefix(path);
  if (prefix !== null) {
    const whole = await opener.open(prefix, 'alt-first');
    try {
      const panel = ofAskedPloidy(whole, opener, path, context.genotypes?.samplesOfPloidy);
      requireTaken(panel, path, context);
      return { panel, problems: [], close: () => panel.close() };
    } catch (error) {
      await whole.close();
      throw error;
    }
  }
  // Loads the readers of all formats lazily: a PLINK set does without them, and they are a third of a command's code.
  const { importGenotype } = await import('../genotype/import-genotype.ts');
  const folder = await mkdtemp(join(tmpdir(), 'heterosis-import-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const source = await openFileSource(path);
    try {
      const outPrefix = join(folder, 'panel');
      // Like the in-memory version: nobody else reads these files.
      const alleleOrder = 'ref-first';
      // Nothing is stored here: two probes of one variant stop an import, but not an analysis.
      const imported = await importGenotype(
        { source, outPrefix, alleleOrder, withQc: false, duplicatePositions: 'keep' },
        context,
      );
      if (imported.panel === null) throw new FileRefused(path, imported.report.problems);
      const panel = await opener.open(outPrefix, alleleOrder);
      try {
        requireOnePloidy(panel, path, context);
      } catch (error) {
        await panel.close();
        throw error;
      }
      return {
        panel,
        problems: imported.report.problems,
        close: async () => {
          await panel.close();
          await remove();
        },
      };
    } finally {
      await source.close();
    }
  } catch (error) {
    await remove();
    throw error;
  }
}

/** The prefix if the path names a PLINK binary set, with or without `.bed`; otherwise null. */
async function plinkPrefix(path: string): Promise<string | null> {
  if (path.endsWith('.bed')) return path.slice(0, -'.bed'.length);
  return (await exists(path)) || !(await exists(`${path}.bed`)) ? null : path;
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
