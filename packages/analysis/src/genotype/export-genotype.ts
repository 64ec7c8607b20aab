import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { deflateBgzf } from '@heterosis/file-formats/compression/bgzf';
import type { GenotypePanel } from '@heterosis/file-formats/genotype/panel/genotype-panel';
import { subsetPanel } from '@heterosis/file-formats/genotype/panel/subset-panel';
import { PANEL_FORMATS, type PanelFormat } from '@heterosis/file-formats/genotype/writers/panel-format';
import { lostDosagesProblem, panelFiles, writePanel } from '@heterosis/file-formats/genotype/writers/write-panel';
import { ProblemCollector, type ProblemReport } from '@heterosis/file-formats/problem';
import { type AnalysisContext, AnalysisError, reportProgress } from '../context.ts';
import { placesOfSamples } from '../inputs/find-listed.ts';
import { type ListedName, namesOf } from '../inputs/name-list.ts';

// The command line knows the writers only through the analyses.
export { lostDosagesProblem, PANEL_FORMATS, type PanelFormat };

export interface ExportInput {
  panel: GenotypePanel;
  format: PanelFormat;
  /**
   * Output path. If the name ends in `.gz`, the file is compressed (blocked gzip). A format of several files becomes
   * one zip if the name ends in `.zip`; otherwise the name is the files' prefix.
   */
  outPath: string;
}

/**
 * Writes a panel in another format and returns the paths. No file appears before all are complete. Throws
 * FileFormatError when the format cannot hold the panel.
 */
export async function exportGenotype(input: ExportInput, context: AnalysisContext): Promise<string[]> {
  const files = filesOf(input, reportingReads(input.panel, context));
  const parts = files.map(({ path }) => `${path}.part`);
  try {
    for (const [k, { chunks }] of files.entries()) {
      // Formats with individuals in rows read everything first and then write for a long time: the signal must stop
      // the write too.
      await pipeline(Readable.from(chunks), createWriteStream(parts[k]), { signal: context.signal });
    }
    for (const [k, { path }] of files.entries()) await rename(parts[k], path);
  } catch (error) {
    await Promise.all(parts.map((part) => rm(part, { force: true })));
    throw error;
  }
  return files.map(({ path }) => path);
}

function filesOf(
  { format, outPath }: ExportInput,
  panel: GenotypePanel,
): { path: string; chunks: AsyncIterable<Uint8Array> }[] {
  if (/\.zip$/i.test(outPath)) {
    const name = outPath.slice(0, -'.zip'.length).replace(/^.*[\\/]/, '');
    const written = writePanel(panel, format, name);
    if (written.ending === '.zip') return [{ path: outPath, chunks: written.chunks }];
  }
  const files = panelFiles(panel, format);
  if (files.length > 1) return files.map(({ ending, chunks }) => ({ path: `${outPath}${ending}`, chunks }));
  return files.map(({ chunks }) => ({
    path: outPath,
    chunks: outPath.endsWith('.gz') ? deflateBgzf(chunks) : chunks,
  }));
}

/** The panel, reporting progress and checking the signal for every block read. */
function reportingReads(panel: GenotypePanel, context: AnalysisContext): GenotypePanel {
  return {
    samples: panel.samples,
    markers: panel.markers,
    close: () => panel.close(),
    dosages: panel.dosages,
    readPacked: (first, count) => {
      reportProgress(context, 'write', first, panel.markers.id.length);
      return panel.readPacked(first, count);
    },
  };
}

export interface Selection {
  panel: GenotypePanel;
  /** W-NAME-FOLDED, W-NAME-UNKNOWN, E-NAME-AMBIG, W-EX-MARKER-UNKNOWN; attributed to the file with the list. */
  samples: ProblemReport;
  markers: ProblemReport;
}

/**
 * The samples and markers named in two lists, one name per line, in panel order. Samples match by exact name,
 * otherwise ignoring case and punctuation if only one fits; markers by exact id. Lines that begin with `#` are
 * comments. A null list selects all.
 *
 * @throws AnalysisError `match/nothing-in-common` when no name of a list is in the panel
 */
export function selectFromPanel(
  panel: GenotypePanel,
  lists: { samples: string | null; markers: string | null },
): Selection {
  const samples = new ProblemCollector();
  const markers = new ProblemCollector();
  const chosen = {
    samples: lists.samples === null ? null : chosenSamples(panel.samples, lists.samples, samples),
    markers: lists.markers === null ? null : chosenMarkers(panel.markers.id, namesOf(lists.markers), markers),
  };
  const isWhole = chosen.samples === null && chosen.markers === null;
  return {
    panel: isWhole ? panel : subsetPanel(panel, chosen),
    samples: samples.report(),
    markers: markers.report(),
  };
}

function chosenSamples(names: readonly string[], list: string, problems: ProblemCollector): number[] {
  const places = placesOfSamples(names, namesOf(list), problems, (details) =>
    problems.warning('W-NAME-UNKNOWN', details),
  );
  return requireAny(places, 'individual');
}

function chosenMarkers(ids: readonly string[], listed: readonly ListedName[], problems: ProblemCollector): number[] {
  const place = new Map(ids.map((id, j) => [id, j]));
  const chosen = new Set<number>();
  for (const { name, line } of listed) {
    const index = place.get(name);
    if (index !== undefined) chosen.add(index);
    else
      problems.warning('W-EX-MARKER-UNKNOWN', {
        line,
        value: name,
        message: `The genotype has no marker "${name}".`,
        suggestion: 'Marker names are compared letter by letter.',
      });
  }
  return requireAny(
    [...chosen].sort((a, b) => a - b),
    'marker',
  );
}

function requireAny(places: number[], what: 'individual' | 'marker'): number[] {
  if (places.length > 0) return places;
  throw new AnalysisError(
    'match/nothing-in-common',
    `The list names no ${what} of the genotype.`,
    'Write one name a line, as the genotype writes it.',
  );
}
