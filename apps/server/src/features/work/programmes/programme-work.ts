import type { StorageLocation } from '../../../platform/object-storage/storage-location.ts';
import type { PanelKeys } from '../../../platform/object-storage/stored-panel.ts';
import type { FinishedProgramme } from './finish-programme.compute.ts';
import type { TruthInput } from './open-programme.ts';

/** What the jobs of a run work with. */
export interface Inputs {
  storage: StorageLocation;
  panel: PanelKeys;
  original: string;
  linkageMap: string | null;
  truth: TruthInput;
}

/** What a run ends with. */
export interface Output {
  report: FinishedProgramme['report'];
  result_keys: Partial<Record<string, string>>;
}
