import type { RunKind } from '@heterosis/contracts/work/run-kinds';
import type { Provenance } from '@heterosis/contracts/work/runs';
import type { Zip, ZippedFile } from '../../../../platform/http/zip-download.ts';

/** What a kind says of its bundle. */
export interface BundleParts {
  /** Name of every input by its role; `provenance` has the SHA-256 of the originals. */
  inputs: Record<string, string | null>;
  /** Figures and tables in `run.json`. */
  results: unknown;
  provenance: Provenance;
  files: readonly ZippedFile[];
}

export interface Bundle extends BundleParts {
  /** A paragraph for the methods section of a paper. */
  methods: string;
}

/** The run itself. */
interface BundledRun {
  kind: RunKind;
  id: string;
  name: string;
  description: string | null;
  traits: readonly string[];
}

/**
 * Everything needed to repeat and cite a run: hashes of the inputs, parameters, seed, version, methods paragraph and
 * results.
 */
export function makeBundle(
  { kind, id, name, description, traits }: BundledRun,
  { inputs, results, provenance, methods, files }: Bundle,
): Zip {
  const record = { kind, id, name, description, traits, inputs, results, provenance };
  return {
    fileName: `${name}.zip`,
    files: [
      { name: 'run.json', content: `${JSON.stringify(record, null, 2)}\n` },
      { name: 'methods.txt', content: `${methods}\n` },
      ...files,
    ],
  };
}

/** Folder of a trait in a bundle. The number separates traits whose names differ only in special characters. */
export const traitFolder = (traits: readonly string[], trait: string): string =>
  `${traits.indexOf(trait) + 1}_${trait.replaceAll(/[^\w.-]+/g, '_')}`;
