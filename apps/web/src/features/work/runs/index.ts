export { CompareDialog } from './dialogs/compare-dialog.tsx';
export { figureColumn } from './figure-of-traits.tsx';
export { InputFile } from './input-file.tsx';
export { leftOutFact } from './left-out-fact.tsx';
export { ProvenanceSection } from './provenance-section.tsx';
export { RunListPage } from './run-list-page.tsx';
export { RunLoader, RunPage } from './run-page.tsx';
export { RunFailures, RunningTraits } from './run-parts.tsx';
export { runPath, runQueries, type WithState } from './run-queries.ts';
export {
  CONVERSION_STAGES,
  CROSSING_STAGES,
  GWAS_STAGES,
  HYBRID_STAGES,
  PARENTAGE_STAGES,
  PHASING_STAGES,
  PREDICTION_STAGES,
  stagesOfModel,
  stateByTrait,
  stateOfWhole,
} from './run-state.ts';
export { traitNames } from './trait-names.ts';
export { TraitSelect } from './trait-select.tsx';
export { useRunMutations } from './use-run-mutations.ts';
export { useTraitInAddress } from './use-trait-in-address.ts';
