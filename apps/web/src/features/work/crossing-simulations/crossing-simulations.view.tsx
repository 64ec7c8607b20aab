import { CROSSING_OPTIONS } from '@heterosis/contracts/options/crossing';
import {
  type CrossingSimulation,
  type CrossingSimulationDetail,
  createCrossingSimulationBody,
} from '@heterosis/contracts/work/crossing-simulations';
import type { Fact } from '../../../components/page/facts-strip.tsx';
import { useOptionText } from '../../../lib/form/use-option-text.ts';
import { formatCount, formatTick } from '../../../lib/format/format.ts';
import { CROSSING_STAGES, DownloadCsv, type FactMakers, type RunView } from '../runs/index.ts';
import { crossingSimulationRuns } from './crossing-simulations.api.ts';

export const CROSSING_SIMULATION_VIEW: RunView<CrossingSimulation, CrossingSimulationDetail> = {
  ...crossingSimulationRuns,
  body: createCrossingSimulationBody,
  inputs: ['model', 'genotype', 'crossing_table'],
  stages: ({ provenance: { parameters } }) =>
    parameters.phase_first || parameters.phased_from ? ['phase', ...CROSSING_STAGES] : CROSSING_STAGES,
  useFacts,
  Action: ({ run }) => <DownloadCsv url={run.result_url} />,
  downloads: (simulation, t) => [[t('crossing_simulations.downloadProgeny'), simulation.progeny_url]],
};

function useFacts(simulation: CrossingSimulationDetail, make: FactMakers): Fact[] {
  const textOf = useOptionText('crossing_simulations', CROSSING_OPTIONS);
  const { t, file, model, linkageMap } = make;
  const { report } = simulation;
  const { parameters } = simulation.provenance;
  const isByTable = report && report.progeny > 0 && report.progeny !== report.crosses * parameters.progeny;
  return [
    model(simulation.model),
    file(t('crossing_simulations.genotype'), simulation.genotype),
    file(t('crossing_simulations.crossingTable'), simulation.crossing_table),
    linkageMap(simulation.linkage_map, parameters.bp_per_cm),
    {
      label: textOf('map_function', 'label'),
      value: textOf('map_function', 'labels', parameters.map_function),
      hint: textOf('map_function', 'hint'),
    },
    {
      label: textOf('population', 'label'),
      value: textOf('population', 'labels', parameters.population),
      hint: t('crossing_simulations.populationHint'),
    },
    {
      label: textOf('progeny', 'label'),
      value: isByTable ? t('crossing_simulations.progenyOfTable') : formatCount(parameters.progeny),
    },
    { label: textOf('accuracy', 'label'), value: formatTick(parameters.accuracy) },
    ...(parameters.low_traits.length > 0
      ? [{ label: textOf('low_traits', 'label'), value: parameters.low_traits.join(', ') }]
      : []),
  ];
}
