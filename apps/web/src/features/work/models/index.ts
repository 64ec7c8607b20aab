export { ModelField, useOnlyModel } from './model-picker.tsx';
export { modelQuery } from './models.api.ts';
