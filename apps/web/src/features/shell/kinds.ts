import type { RunKind } from '@heterosis/contracts/work/run-kinds';
import type { ComponentType } from 'react';
import {
  type Icon,
  IconArrowsCross,
  IconChartDots3,
  IconChartHistogram,
  IconChartScatter,
  IconDna2,
  IconGrid3x3,
  IconPlant2,
  IconStack2,
  IconTimeline,
} from '../../components/icons.tsx';
import type { ModalProps } from '../../lib/browser/modal.ts';

interface KindInShell {
  icon: Icon;
  /** The dialog that starts a run, loaded when it is first opened. */
  dialog: () => Promise<ComponentType<ModalProps>>;
}

/** What the frame of all pages knows of each kind of run. */
export const KINDS: Record<RunKind, KindInShell> = {
  model: {
    icon: IconChartDots3,
    dialog: async () => (await import('../work/models/create-model-modal.tsx')).CreateModelModal,
  },
  prediction: {
    icon: IconChartHistogram,
    dialog: async () => (await import('../work/predictions/create-prediction-modal.tsx')).CreatePredictionModal,
  },
  gwas: {
    icon: IconChartScatter,
    dialog: async () => (await import('../work/gwas/dialog/create-gwas-modal.tsx')).CreateGwasModal,
  },
  trial_analysis: {
    icon: IconGrid3x3,
    dialog: async () =>
      (await import('../work/trial-analyses/create-trial-analysis-modal.tsx')).CreateTrialAnalysisModal,
  },
  parentage_check: {
    icon: IconDna2,
    dialog: async () =>
      (await import('../work/parentage-checks/create-parentage-check-modal.tsx')).CreateParentageCheckModal,
  },
  crossing_plan: {
    icon: IconArrowsCross,
    dialog: async () => (await import('../work/crossing-plans/create-crossing-plan-modal.tsx')).CreateCrossingPlanModal,
  },
  crossing_simulation: {
    icon: IconPlant2,
    dialog: async () =>
      (await import('../work/crossing-simulations/create-crossing-simulation-modal.tsx')).CreateCrossingSimulationModal,
  },
  stacking_plan: {
    icon: IconStack2,
    dialog: async () => (await import('../work/stacking-plans/create-stacking-plan-modal.tsx')).CreateStackingPlanModal,
  },
  programme: {
    icon: IconTimeline,
    dialog: async () => (await import('../work/programmes/create-programme-modal.tsx')).CreateProgrammeModal,
  },
};
