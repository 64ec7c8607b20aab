export { ModelField, useOnlyModel } from './model-picker.tsx';
export { modelRuns } from './models.api.ts';
