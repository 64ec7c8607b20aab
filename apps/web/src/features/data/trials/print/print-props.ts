import type { Trial, TrialPlots } from '@heterosis/contracts/data/trials';

export interface PrintProps {
  projectId: string;
  trial: Trial;
  plots: TrialPlots;
}
