import type { Programme, ProgrammeDetail } from '@heterosis/contracts/work/programmes';
import { simulatedSchemes } from '@heterosis/contracts/work/programmes/programme-optimum';
import type { Services } from '../../../platform/http/app.ts';
import { inputs, oneStep, type RunKindDefinition } from '../runs/kind/index.ts';
import { provenanceOf } from '../runs/results/index.ts';
import type { Run } from '../runs/work/index.ts';
import { runProgrammeJob } from './jobs.ts';
import { programmeMethods } from './methods-paragraph.ts';
import { PROGRAMME_KEY_FIGURE, type ProgrammeRow, programmeSelection } from './programmes.queries.ts';
import { simulateScript } from './simulate-script.ts';

export const programmes: RunKindDefinition<ProgrammeRow, Programme, ProgrammeDetail, 'programme'> = {
  ...programmeSelection,
  unused: ({ has_linkage_map, has_model }) => [
    ...(has_linkage_map ? [] : ['linkage_map']),
    ...(has_model ? [] : ['model']),
  ],
  firstStep: ({ seed }) => ({ job: runProgrammeJob, step: 'simulate programmes', seed }),
  toItem: async (_services, row, runs) => toProgramme(row, runs),

  async toDetail({ storage }, row, runs) {
    const detail = {
      ...toProgramme(row, runs),
      description: row.description,
      ...inputs.references(row, 'genotype', 'linkage_map', 'model'),
      result_urls: await csvUrls(storage, row, 'cycles'),
      replicates_urls: await csvUrls(storage, row, 'replicates'),
      allocations_url: await oneStep.csvUrl(storage, row, 'allocations'),
      steps_url: await oneStep.csvUrl(storage, row, 'steps'),
      report: row.report,
      provenance: provenanceOf(runs, { createdBy: row.creator, seed: row.seed, parameters: row.parameters }),
    };
    return { ...detail, methods: programmeMethods(detail) };
  },

  toBundle(row, detail) {
    const { report: results, provenance } = detail;
    const { architecture, optimise } = row.parameters;
    const schemes = schemesOf(row);
    const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
    return {
      inputs: inputs.names(detail, 'genotype', 'linkage_map', 'model'),
      results,
      provenance,
      files: [
        ...schemes.map((scheme, i) => ({ name: `scheme-${i + 1}.json`, content: json(scheme) })),
        ...(architecture === undefined ? [] : [{ name: 'architecture.json', content: json(architecture) }]),
        ...(optimise === undefined ? [] : [{ name: 'optimise.json', content: json(optimise) }]),
        { name: 'simulate.sh', content: simulateScript(detail) },
        ...oneStep.files(row, {
          'haplotypes.csv': 'haplotypes',
          'map.csv': 'map',
          'allocations.csv': 'allocations',
          'steps.csv': 'steps',
          ...Object.fromEntries(
            schemes.flatMap((_, i) =>
              (['cycles', 'replicates'] as const).map((kind) => [`${kind}-${i + 1}.csv`, `${kind}_${i}`]),
            ),
          ),
        }),
      ],
    };
  },

  methods: (_row, detail) => programmeMethods(detail),

  outcome: (row) =>
    oneStep.outcome(row, ({ report }) => [
      report?.optimum === undefined
        ? `${report?.replicates} replicates of ${report?.founders} founders simulated.`
        : `${report.optimum.allocations.length} allocations of ${report.founders} founders searched.`,
      ...(report?.schemes ?? []).map(({ name, years, gain }) =>
        gain === null ? `${name}: ${years} years.` : `${name}: gain ${gain.mean.toPrecision(4)} in ${years} years.`,
      ),
    ]),

  keyFigure: PROGRAMME_KEY_FIGURE,

  /** Replicates that have ended stay. */
  repeat: (services, trx, row, by) => oneStep.repeat(services, trx, programmes, { row, by }),
};

const schemesOf = ({ parameters, report }: ProgrammeRow) =>
  simulatedSchemes(parameters, report?.optimum?.allocations[0]?.numbers);

/** A file of each scheme; none until the run has ended well. */
async function csvUrls(
  storage: Services['storage'],
  row: ProgrammeRow,
  kind: 'cycles' | 'replicates',
): Promise<string[]> {
  const found = schemesOf(row).map((_, i) => oneStep.csvUrl(storage, row, `${kind}_${i}`, `${kind}_${i + 1}`));
  return (await Promise.all(found)).filter((url) => url !== null);
}

const toProgramme = (row: ProgrammeRow, runs: readonly Run[]): Programme => ({
  ...oneStep.item(row, runs),
  ...inputs.columns(
    row,
    'genotype_id',
    'linkage_map_id',
    'model_id',
    'genotype_name',
    'linkage_map_name',
    'model_name',
  ),
});
