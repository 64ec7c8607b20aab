export { CompareDialog } from './dialogs/compare-dialog.tsx';
export { useCite } from './dialogs/use-cite.tsx';
export { errorFacts } from './error-facts.ts';
export { figureColumn } from './figure-of-traits.tsx';
export { leftOutFact } from './left-out-fact.tsx';
export { ProvenanceSection } from './provenance-section.tsx';
export { RunListPage } from './run-list-page.tsx';
export { RunPage } from './run-page.tsx';
export { DownloadCsv, RunFailures, RunningTraits, RunWarnings } from './run-parts.tsx';

export {
  CONVERSION_STAGES,
  CROSSING_STAGES,
  GWAS_STAGES,
  HYBRID_STAGES,
  PARENTAGE_STAGES,
  PHASING_STAGES,
  PREDICTION_STAGES,
  PROGRAMME_STAGES,
  stagesOfModel,
  stateByTrait,
  stateOfWhole,
  TRIAL_STAGES,
} from './run-state.ts';
export type { FactMakers, OtherListProps, RunPartProps, RunView } from './run-view.ts';
export { type Runs, runsOf, type WithState } from './runs-of.ts';
export { traitNames } from './trait-names.ts';
export { TraitSelect } from './trait-select.tsx';
export { useParameterRows } from './use-parameter-name.ts';
export { useRunsChanged } from './use-run-mutations.ts';
export { useTraitInAddress } from './use-trait-in-address.ts';
