import type { RunKind } from '@heterosis/contracts/work/run-kinds';
import {
  type Icon,
  IconArrowsCross,
  IconChartDots3,
  IconChartHistogram,
  IconChartScatter,
  IconDna2,
  IconPlant2,
} from '../../components/icons.tsx';

export const KIND_ICONS: Record<RunKind, Icon> = {
  model: IconChartDots3,
  prediction: IconChartHistogram,
  gwas: IconChartScatter,
  parentage_check: IconDna2,
  crossing_plan: IconArrowsCross,
  crossing_simulation: IconPlant2,
};
