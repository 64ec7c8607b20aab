interface ComparedRun {
  genotype: { name: string } | null;
  phenotype?: { name: string } | null;
  /** Of a kind that takes several. */
  phenotypes?: readonly { name: string }[];
  provenance: {
    seed: number | null;
    software_version: string;
    parameters: object;
  };
}

/** A setting that is not the same in all runs, with its value in each; undefined where a run does not have it. */
export interface DifferingSetting {
  name: string;
  values: (string | undefined)[];
}

/** In what runs differ: inputs, parameters, seed and version, by the names that the API has for them. */
export function differingSettings(runs: readonly ComparedRun[]): DifferingSetting[] {
  const settings = runs.map((run) => ({
    genotype: run.genotype?.name,
    phenotype: run.phenotypes?.map(({ name }) => name) ?? run.phenotype?.name,
    ...run.provenance.parameters,
    seed: run.provenance.seed ?? undefined,
    software_version: run.provenance.software_version,
  })) as Record<string, unknown>[];
  const names = [...new Set(settings.flatMap((one) => Object.keys(one)))];
  return names.flatMap((name) => {
    const values = settings.map((one) => inWords(one[name]));
    return new Set(values).size > 1 ? [{ name, values }] : [];
  });
}

function inWords(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (Array.isArray(value)) return listed(value.map((one) => inWords(one) ?? '–'));
  if (typeof value !== 'object') return String(value);
  return listed(
    Object.entries(value).flatMap(([name, one]) => {
      const words = inWords(one);
      return words === undefined ? [] : [`${name} ${words}`];
    }),
  );
}

const listed = (words: readonly string[]): string | undefined => (words.length === 0 ? undefined : words.join(', '));
