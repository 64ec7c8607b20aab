import { access, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openFileSource } from '@heterosis/file-formats/byte-source';
import type { GenotypePanel } from '@heterosis/file-formats/genotype/panel/genotype-panel';
import type { AlleleOrder } from '@heterosis/file-formats/genotype/panel/packed-calls';
import type { PanelBlocks } from '@heterosis/file-formats/genotype/panel/panel-blocks';
import type { FileProblem } from '@heterosis/file-formats/problem';
import type { AnalysisContext } from '../context.ts';
import { openPanelBlocks, openPanelFiles } from './open-panel.ts';

/** Thrown when a file cannot be used; carries every problem found in it. */
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
  /** Closes the panel and removes what was written to read it. */
  close(): Promise<void>;
}

/**
 * Opens a genotype on disk: a PLINK prefix (`panel` or `panel.bed`), or a file of any accepted format, which is first
 * imported into a folder of temporary files; a variant in two rows with ids of their own is a warning there. Throws {@link FileRefused} with the problems of a bad file, and the system's
 * error when it cannot be read.
 */
export async function openGenotype(path: string, context: AnalysisContext): Promise<OpenedGenotype> {
  return openWith(openPanelFiles, path, context);
}

/** As {@link openGenotype}, for analyses that read markers by blocks too: memory does not grow with their number. */
export async function openGenotypeBlocks(path: string, context: AnalysisContext): Promise<OpenedGenotype<PanelBlocks>> {
  return openWith(openPanelBlocks, path, context);
}

async function openWith<Panel extends { close(): Promise<void> }>(
  openPanel: (prefix: string, order: AlleleOrder) => Promise<Panel>,
  path: string,
  context: AnalysisContext,
): Promise<OpenedGenotype<Panel>> {
  const prefix = await plinkPrefix(path);
  if (prefix !== null) {
    const panel = await openPanel(prefix, 'alt-first');
    return { panel, problems: [], close: () => panel.close() };
  }
  // The readers of all formats, which a PLINK set does without: a third of what a command would load.
  const { importGenotype } = await import('../genotype/import-genotype.ts');
  const folder = await mkdtemp(join(tmpdir(), 'heterosis-import-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const source = await openFileSource(path);
    try {
      const outPrefix = join(folder, 'panel');
      // As in memory: nobody else reads these files.
      const alleleOrder = 'ref-first';
      // Nothing is stored: two probes of one variant stop an import, but no analysis.
      const imported = await importGenotype(
        { source, outPrefix, alleleOrder, withQc: false, duplicatePositions: 'keep' },
        context,
      );
      if (imported.panel === null) throw new FileRefused(path, imported.report.problems);
      const panel = await openPanel(outPrefix, alleleOrder);
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

/** The prefix when the path names a PLINK binary set, with or without `.bed`; null otherwise. */
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
