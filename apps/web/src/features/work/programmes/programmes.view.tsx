import { PROGRAMME_OPTIONS } from '@heterosis/contracts/options/programmes';
import { createProgrammeBody, type Programme, type ProgrammeDetail } from '@heterosis/contracts/work/programmes';
import type { Fact } from '../../../components/page/facts-strip.tsx';
import { useOptionText } from '../../../lib/form/use-option-text.ts';
import { formatCount, formatStatistic } from '../../../lib/format/format.ts';
import { DownloadCsv, type FactMakers, PROGRAMME_STAGES, type RunView } from '../runs/index.ts';
import { programmeRuns } from './programmes.api.ts';

export const PROGRAMME_VIEW: RunView<Programme, ProgrammeDetail> = {
  ...programmeRuns,
  body: createProgrammeBody,
  inputs: ['genotype', 'model'],
  inputsOf: ({ model_id }) => (model_id === null ? ['genotype'] : ['genotype', 'model']),
  stages: () => PROGRAMME_STAGES,
  useFacts,
  Action: ({ run }) => <DownloadCsv url={run.allocations_url ?? run.result_urls[0] ?? null} />,
  downloads: (run, t) => [
    ...(run.allocations_url === null ? [] : [[t('programmes.downloadAllocations'), run.allocations_url] as const]),
    ...(run.steps_url === null ? [] : [[t('programmes.downloadSteps'), run.steps_url] as const]),
    ...run.result_urls.map((url, i) => [t('programmes.downloadCycles', { name: nameOf(run, i) }), url] as const),
    ...run.replicates_urls.map(
      (url, i) => [t('programmes.downloadReplicates', { name: nameOf(run, i) }), url] as const,
    ),
  ],
};

const nameOf = ({ report }: ProgrammeDetail, i: number): string => report?.schemes[i]?.name ?? '';

const USUAL_BP_PER_CM = PROGRAMME_OPTIONS.bp_per_cm.default;

function useFacts(run: ProgrammeDetail, make: FactMakers): Fact[] {
  const textOf = useOptionText('programmes', PROGRAMME_OPTIONS);
  const { t, file, model, linkageMap } = make;
  const { parameters, input_sha256 } = run.provenance;
  const [architecture] = parameters.architecture ?? [];
  return [
    file(t('programmes.founders'), run.genotype),
    // A map that was deleted has left its hash.
    linkageMap(run.linkage_map, 'linkage_map' in input_sha256 ? null : (parameters.bp_per_cm ?? USUAL_BP_PER_CM)),
    ...(architecture === undefined
      ? [model(run.model)]
      : [
          {
            label: t('programmes.architecture'),
            value: t('programmes.architectureFact', {
              trait: architecture.trait,
              qtl: formatCount(architecture.qtl),
              variance: formatStatistic(architecture.variance),
            }),
          },
        ]),
    { label: t('programmes.schemes'), value: formatCount(parameters.schemes.length) },
    ...(parameters.optimise === undefined
      ? [{ label: textOf('replicates', 'label'), value: formatCount(parameters.replicates) }]
      : [
          { label: t('programmes.budget'), value: formatCount(parameters.optimise.budget) },
          { label: t('programmes.evaluations'), value: formatCount(parameters.optimise.evaluations) },
        ]),
  ];
}
