export type { ClientDetails } from './client-details.ts';
export { matchEntries } from './entries.ts';
export { type FrozenTrial, freeze } from './freeze-trial.service.ts';
export type { PlotRow } from './layout.ts';
export {
  type CountedValue,
  findObservations,
  listClientObservations,
  listCountedValues,
  listHeads,
  readCompleteness,
} from './observations.queries.ts';
export { recordIn } from './observations.service.ts';
export { openFile } from './open-file.service.ts';
export { listPhotosOfProjects, type PhotoDetails, type PhotoRow } from './photos/photos.queries.ts';
export { plotPhotoRoutes } from './photos/photos.routes.ts';
export {
  announceIn,
  changePhotoIn,
  checked as checkedPhoto,
  readPhotosOfLine,
  storePicture,
} from './photos/photos.service.ts';
export { listPlots } from './plots.queries.ts';
export { addPlotsIn, changePlotsIn, type WrittenPlot } from './plots.service.ts';
export { trialTable } from './trial-table.ts';
export {
  type FileOfTrial,
  listFilesOfTrial,
  listTrials,
  listTrialsOfProjects,
  type TrialFields,
  type TrialOfProject,
} from './trials.queries.ts';
export { trialRoutes } from './trials.routes.ts';
export { changeTrialIn, draftTrialIn, getTrial } from './trials.service.ts';
export { valueFileRoutes } from './value-files/value-files.routes.ts';
