import type { PlotKind, Trial } from '@heterosis/contracts/data/trials';
import type { ProjectTrait } from '@heterosis/contracts/people/traits';

export interface PrintedPlot {
  /** As field books, labels and BrAPI clients have it. */
  id: string;
  number: number;
  name: string;
  row: number | null;
  column: number | null;
  replicate: number | null;
  block: number | null;
  /** Null on fillers and borders. */
  entry: string | null;
  kind: PlotKind;
  treatment: string | null;
}

/** A trial as books and labels print it. */
export interface PrintedTrial {
  trial: Trial;
  /** By their numbers. */
  plots: PrintedPlot[];
  /** What is to be measured, in the order of the trial. */
  traits: ProjectTrait[];
}
